package dev.counterpoint.local.e2e;

import dev.counterpoint.validator.testkit.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/// One streamed answer, read on a thread of its own until it ends or its caller leaves: when its pieces came.
final class OpenStream {
    private static final String DELTA = "response.output_text.delta";

    private final InputStream body;
    private final Thread reader;
    private final CountDownLatch speaks = new CountDownLatch(1);
    private volatile String id = "";
    private volatile long lastNanos;
    private volatile long longestPauseNanos;
    private volatile String ending = "none";
    private final StringBuilder text = new StringBuilder();

    /// @param enough deltas after which it counts as speaking
    OpenStream(ApiClient caller, String body, int enough) {
        this.body = caller.open("/v1/responses", body);
        reader = Thread.ofVirtual().start(() -> read(enough));
    }

    private void read(int enough) {
        int deltas = 0;
        try (var events = new SseReader(body)) {
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                var type = event.get().event();
                if (DELTA.equals(type)) {
                    note(System.nanoTime());
                    text.append(ApiClient.tree(event.get().data()).path("delta").asText());
                    if (++deltas == enough) {
                        speaks.countDown();
                    }
                } else if ("response.created".equals(type)) {
                    var name = ApiClient.tree(event.get().data())
                            .path("response")
                            .path("id")
                            .asText();
                    id = name.substring(name.indexOf('_') + 1);
                } else if ("response.completed".equals(type) || "response.failed".equals(type)) {
                    ending = type;
                }
            }
        } catch (IOException left) {
            // As the caller wants.
        }
    }

    private void note(long now) {
        if (lastNanos != 0) {
            longestPauseNanos = Math.max(longestPauseNanos, now - lastNanos);
        }
        lastNanos = now;
    }

    void awaitSpeaking() throws InterruptedException {
        speaks.await();
    }

    void awaitEnd() throws InterruptedException {
        reader.join();
    }

    /// As the bus names it.
    String id() {
        return id;
    }

    /// Forgets the pauses so far.
    void startWatch() {
        longestPauseNanos = 0;
    }

    double longestPauseMillis() {
        return longestPauseNanos / 1e6;
    }

    /// Type of its last event.
    String ending() {
        return ending;
    }

    /// All that it said, once it has ended.
    String text() {
        return text.toString();
    }

    /// The caller goes away.
    void leave() throws IOException {
        body.close();
    }
}
