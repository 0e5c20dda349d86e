package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.validator.testkit.SseReader;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Callers that stream one answer after another, whatever happens to the suite, and note what they were told.
final class Load implements AutoCloseable {
    private static final Duration REQUEST_MAX = Duration.ofSeconds(120);
    private static final long PAUSE_MILLIS = 100;

    private final ApiClient caller;
    private final String body;
    private final Queue<List<SseEvent>> answers = new ConcurrentLinkedQueue<>();
    private final Queue<HttpResponse<?>> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underway = new AtomicInteger();
    private final List<Thread> callers;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private volatile boolean stopped;

    Load(ApiClient caller, String body, int callers) {
        this.caller = caller;
        this.body = body;
        this.callers = IntStream.range(0, callers)
                .mapToObj(_ -> Thread.ofVirtual().start(this::ask))
                .toList();
    }

    private void ask() {
        while (!stopped) {
            try {
                askOnce();
            } catch (IOException cut) {
                broken.add(cut.toString());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void askOnce() throws IOException, InterruptedException {
        var answer = http.send(
                caller.request("/v1/responses")
                        .timeout(REQUEST_MAX)
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            answer.body().close();
            refusals.add(answer);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // as a client that was told to come again
            return;
        }
        underway.incrementAndGet();
        try (var reader = new SseReader(answer.body())) {
            answers.add(events(reader));
        } finally {
            underway.decrementAndGet();
        }
    }

    private static List<SseEvent> events(SseReader reader) throws IOException {
        var events = new ArrayList<SseEvent>();
        for (var event = reader.next(); event.isPresent(); event = reader.next()) {
            if (!event.get().data().isEmpty()) {
                events.add(event.get());
            }
        }
        return List.copyOf(events);
    }

    /// Waits until every caller is in the middle of an answer.
    void awaitUnderWay() throws InterruptedException {
        Eventually.until(underway::get, count -> count == callers.size());
    }

    /// Waits until so many more answers came to their end.
    void awaitAnswers(int more) throws InterruptedException {
        int wanted = answers.size() + more;
        Eventually.until(answers::size, count -> count >= wanted);
    }

    /// Asks beside the callers, who may all be in the middle of an answer, until that is refused.
    void awaitRefusal() throws InterruptedException {
        Eventually.until(() -> caller.post("/v1/responses", body), answer -> answer.status() == 503);
    }

    /// Lets the callers finish what they are at and checks it all: every refusal says when to come again, every answer
    /// is whole and was told once.
    ///
    /// @return ids of the answers
    List<String> assertNothingLost(String wholeAnswer) throws InterruptedException {
        stopped = true;
        for (var thread : callers) {
            thread.join(REQUEST_MAX);
        }
        assertThat(broken).isEmpty();
        assertThat(refusals).allSatisfy(refusal -> {
            assertThat(refusal.statusCode()).isEqualTo(503);
            assertThat(refusal.headers().firstValue("retry-after")).isPresent();
        });
        assertThat(answers).isNotEmpty().allSatisfy(events -> {
            assertThat(Streams.terminals(events)).containsExactly("response.completed");
            assertThat(Streams.text(events, "response.output_text.delta")).isEqualTo(wholeAnswer);
            assertThat(Streams.bodies(events).stream()
                            .map(event -> event.path("sequence_number").asInt()))
                    .containsExactlyElementsOf(
                            IntStream.range(0, events.size() - 1).boxed().toList());
        });
        return answers.stream()
                .map(events -> Streams.bodies(events)
                        .getFirst()
                        .path("response")
                        .path("id")
                        .asText())
                .toList();
    }

    @Override
    public void close() {
        stopped = true;
        callers.forEach(Thread::interrupt);
        http.shutdownNow();
    }
}
