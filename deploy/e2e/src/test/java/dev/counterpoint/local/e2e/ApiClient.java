package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.validator.testkit.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Asks the gateway over HTTP, as any program would.
final class ApiClient {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration REQUEST_MAX = Duration.ofSeconds(90);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final URI gateway;
    private final String key;

    ApiClient(URI gateway, String key) {
        this.gateway = gateway;
        this.key = key;
    }

    /// @param body the JSON body, or a missing node where there is none
    record Answer(int status, HttpResponse<?> http, JsonNode body) {
        JsonNode error() {
            return body.path("error");
        }
    }

    Answer get(String path) {
        return send(request(path).GET().build());
    }

    Answer delete(String path) {
        return send(request(path).DELETE().build());
    }

    Answer post(String path, String body) {
        return send(request(path)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(gateway.resolve(path))
                .timeout(REQUEST_MAX)
                .header("authorization", "Bearer " + key);
    }

    Answer send(HttpRequest request) {
        try {
            var answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            boolean json =
                    answer.headers().firstValue("content-type").orElse("").startsWith("application/json");
            return new Answer(answer.statusCode(), answer, json ? tree(answer.body()) : MissingNode.getInstance());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Reads a stream to its end.
    List<SseEvent> stream(String path, String body) {
        return stream(path, body, _ -> {});
    }

    /// @param listener hears each event as it comes
    List<SseEvent> stream(String path, String body, Consumer<SseEvent> listener) {
        var events = new ArrayList<SseEvent>();
        try (var reader = new SseReader(open(path, body))) {
            for (var event = reader.next(); event.isPresent(); event = reader.next()) {
                if (!event.get().data().isEmpty()) {
                    events.add(event.get());
                    listener.accept(event.get());
                }
            }
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Opens a stream; closing it is leaving.
    InputStream open(String path, String body) {
        return open(request(path)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    /// Opens a stream that is read again.
    InputStream open(String path) {
        return open(request(path).GET().build());
    }

    InputStream open(HttpRequest request) {
        try {
            var answer = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                throw new AssertionError(
                        answer.statusCode() + " " + new String(answer.body().readAllBytes()));
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + json, e);
        }
    }
}
