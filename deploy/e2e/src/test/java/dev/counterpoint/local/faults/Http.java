package dev.counterpoint.local.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks gateways over HTTP with one key. Thread-safe.
final class Http {
    /// For the head of an answer; longer than the suite lets a request wait.
    private static final Duration HEAD_MAX = Duration.ofSeconds(150);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(3))
            .build();

    private final String key;

    Http(String key) {
        this.key = key;
    }

    /// @param body empty when none came
    record Answer(int status, String body) {}

    HttpResponse<InputStream> open(URI address, String body) throws IOException, InterruptedException {
        return CLIENT.send(posted(address, body, HEAD_MAX), HttpResponse.BodyHandlers.ofInputStream());
    }

    HttpResponse<InputStream> open(URI address) throws IOException, InterruptedException {
        return CLIENT.send(request(address, HEAD_MAX).GET().build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    Answer post(URI address, String body, Duration limit) throws IOException, InterruptedException {
        return send(posted(address, body, limit));
    }

    Answer get(URI address, Duration limit) throws IOException, InterruptedException {
        return send(request(address, limit).GET().build());
    }

    Answer delete(URI address, Duration limit) throws IOException, InterruptedException {
        return send(request(address, limit).DELETE().build());
    }

    private static Answer send(HttpRequest request) throws IOException, InterruptedException {
        var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        return new Answer(answer.statusCode(), answer.body());
    }

    private HttpRequest posted(URI address, String body, Duration limit) {
        return request(address, limit)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private HttpRequest.Builder request(URI address, Duration limit) {
        return HttpRequest.newBuilder(address).timeout(limit).header("authorization", "Bearer " + key);
    }
}
