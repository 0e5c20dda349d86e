package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.validator.testkit.SseReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// A caller that takes refusals and broken streams as they come, and remembers what was accepted.
final class ChaosCaller {
    private static final Duration REQUEST_MAX = Duration.ofSeconds(90);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private final URI responses;
    private final String key;
    private final boolean optsIn;
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    ChaosCaller(URI gateway, String key, boolean optsIn) {
        this.responses = gateway.resolve("/v1/responses");
        this.key = key;
        this.optsIn = optsIn;
    }

    /// Asks once and reads to the end of the stream, whatever ends it.
    ///
    /// @param more members of the request
    /// @return empty when the request was refused or nobody was there
    Optional<AcceptedResponse> ask(String question, String more) throws InterruptedException {
        var body = "{\"model\":\"%s\",\"input\":\"%s\",\"stream\":true%s%s}"
                .formatted(RunningSuite.MODEL, question, optsIn ? ",\"reasoning_encrypt\":true" : "", more);
        var request = HttpRequest.newBuilder(responses)
                .timeout(REQUEST_MAX)
                .header("authorization", "Bearer " + key)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        long begun = System.nanoTime();
        try {
            var answer = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                try (var reason = answer.body()) {
                    refused(answer.statusCode() + " " + new String(reason.readAllBytes(), StandardCharsets.UTF_8));
                }
                return Optional.empty();
            }
            var events = new ArrayList<JsonNode>();
            boolean whole = read(new SseReader(answer.body()), events);
            var took = Duration.ofNanos(System.nanoTime() - begun);
            return events.isEmpty() ? Optional.empty() : Optional.of(AcceptedResponse.of(events, optsIn, whole, took));
        } catch (IOException nobodyThere) {
            refused(nobodyThere.getClass().getSimpleName());
            return Optional.empty();
        }
    }

    private void refused(String reason) {
        refusals.merge(reason, 1, Integer::sum);
    }

    /// Why requests were refused, and how often.
    Map<String, Integer> refusals() {
        return Map.copyOf(refusals);
    }

    private static boolean read(SseReader reader, List<JsonNode> events) {
        try (reader) {
            for (var event = reader.next(); event.isPresent(); event = reader.next()) {
                var data = event.get().data();
                if (data.equals("[DONE]")) {
                    return true;
                }
                if (!data.isEmpty()) {
                    events.add(ApiClient.tree(data));
                }
            }
        } catch (IOException broken) {
            // What came until then counts.
        }
        return false;
    }
}
