package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Very many strict responses, whose choices inside the mask are random: by default ten, as many as one likes
/// with `-Dscale=1000`.
@ExtendWith(SharedSuite.class)
class StrictResponsesIT {
    private static final int RESPONSES = 10 * Integer.getInteger("scale", 1);
    private static final int FREE_MAX = 400;
    private static final int RESPONSES_PER_FREE_ONE = 5;
    private static final int PROGRESS = 1_000;
    private static final int AT_ONCE = 8;
    private static final int TOKENS_MAX = 2_000;
    private static final String CHAT = "/v1/chat/completions";

    private static ApiClient client;

    @BeforeAll
    static void connect() {
        client = SharedSuite.suite().client(RunningSuite.SUMMARY_KEY);
    }

    /// What became of many requests.
    private static final class Tally {
        private final AtomicInteger complete = new AtomicInteger();
        private final AtomicInteger cut = new AtomicInteger();
        private final ConcurrentHashMap<String, String> invalid = new ConcurrentHashMap<>();
        private final AtomicInteger wrong = new AtomicInteger();

        void add(StrictCase one, StrictCase.Said said) {
            (said.complete() ? complete : cut).incrementAndGet();
            try {
                one.check(said);
            } catch (AssertionError broken) {
                wrong.incrementAndGet();
                invalid.put(one.id(), String.valueOf(broken.getMessage()));
            }
        }

        @Override
        public String toString() {
            return "complete %d, cut off by length %d, invalid %d".formatted(complete.get(), cut.get(), wrong.get());
        }
    }

    @Test
    void aStrictAnswerFitsOrIsCutOff() throws Exception {
        // Given
        var cases = Stream.of(StrictCase.own(), StrictCase.sampled(), StrictCase.shaped())
                .flatMap(each -> each)
                .toList();
        // When
        var strict = ask(cases, RESPONSES, true);
        var free = ask(cases, Math.min(RESPONSES / RESPONSES_PER_FREE_ONE, FREE_MAX), false);
        // Then
        System.out.printf(
                "%d responses over %d schemas%n  with masks: %s%n  without: %s%n",
                RESPONSES, cases.size(), strict, free);
        assertThat(strict.invalid).isEmpty();
        assertThat(strict.complete.get()).isGreaterThanOrEqualTo(RESPONSES * 9 / 10);
    }

    @Test
    void aSecondRequestWithTheSameSchemaCompilesNothing() {
        // Given
        var one = StrictCase.own().findFirst().orElseThrow();
        var first = request(one, 1, true);
        client.post(CHAT, first.toString());
        double compiled = metric("compile_seconds_count");
        double reused = metric("reused_total");
        // When
        var second = client.post(CHAT, request(one, 2, true).toString());
        // Then
        assertThat(second.status()).isEqualTo(200);
        assertThat(metric("compile_seconds_count")).isEqualTo(compiled);
        assertThat(metric("reused_total")).isGreaterThan(reused);
    }

    private static double metric(String name) {
        return SharedSuite.worker(RunningSuite.MODEL).metric("counterpoint_worker_constraint_" + name);
    }

    private static Tally ask(List<StrictCase> cases, int responses, boolean strict) throws Exception {
        var tally = new Tally();
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            var asked = new ArrayList<Future<?>>();
            for (int i = 0; i < responses; i++) {
                int number = i;
                asked.add(threads.submit(() -> {
                    var one = cases.get(number % cases.size());
                    tally.add(one, ask(one, number, strict));
                    if ((number + 1) % PROGRESS == 0) {
                        System.out.println("about " + (number + 1) + " responses: " + tally);
                    }
                }));
            }
            for (var each : asked) {
                each.get();
            }
        }
        return tally;
    }

    private static StrictCase.Said ask(StrictCase one, int number, boolean strict) {
        var answer = client.post(CHAT, request(one, number, strict).toString());
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        var choice = answer.body().path("choices").path(0);
        var reason = choice.path("finish_reason").asText();
        assertThat(reason).as(one.id()).isIn("stop", "length");
        return new StrictCase.Said(
                reason.equals("stop"), choice.path("message").path("content").asText(""));
    }

    /// Without masks the schema stands in the instructions as it does with them, and that is all.
    private static ObjectNode request(StrictCase one, int number, boolean strict) {
        var request = ApiClient.JSON
                .createObjectNode()
                .put("model", RunningSuite.MODEL)
                .put("temperature", 1)
                .put("seed", number + 1)
                .put("max_completion_tokens", TOKENS_MAX);
        var messages = request.putArray("messages");
        if (strict) {
            one.demand(request);
        } else {
            messages.addObject()
                    .put("role", "developer")
                    .put("content", "# Response Formats\n\n## answer\n\n" + one.schema());
        }
        messages.addObject().put("role", "user").put("content", "Anything, for the draw " + number + ".");
        return request;
    }
}
