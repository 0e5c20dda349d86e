package dev.counterpoint.local.canary;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Asks over HTTP and keeps every byte that comes back. Thread-safe.
final class CanaryCaller {
    private static final Duration REQUEST_MAX = Duration.ofSeconds(120);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final Received received;
    private final URI base;
    private final String key;

    CanaryCaller(Received received, URI base, String key) {
        this.received = received;
        this.base = base;
        this.key = key;
    }

    Received.Answer get(String name, URI address) {
        return send(name, request(address).GET().build(), _ -> false);
    }

    Received.Answer get(String name, String path) {
        return get(name, base.resolve(path));
    }

    Received.Answer post(String name, String path, String body) {
        return post(name, path, body, _ -> false);
    }

    /// @param enough of the body's text so far; then it leaves
    Received.Answer post(String name, String path, String body, Predicate<String> enough) {
        return send(name, posted(path, body), enough);
    }

    /// Leaves a while after the first bytes came, whatever came until then.
    Received.Answer postAndLeave(String name, String path, String body, Duration after) {
        var came = new ByteArrayOutputStream();
        var head = new CompletableFuture<HttpResponse.ResponseInfo>();
        HttpResponse.BodyHandler<Void> keep =
                info -> HttpResponse.BodySubscribers.ofByteArrayConsumer(bytes -> bytes.ifPresent(some -> {
                    came.writeBytes(some);
                    head.complete(info);
                }));
        var asking = HTTP.sendAsync(posted(path, body), keep);
        var info = head.orTimeout(REQUEST_MAX.toSeconds(), TimeUnit.SECONDS).join();
        pause(after);
        // Closes the connection.
        asking.cancel(true);
        var answer = new Received.Answer(name, info.statusCode(), info.headers(), came.toByteArray());
        received.add(answer);
        return answer;
    }

    static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpRequest posted(String path, String body) {
        return request(base.resolve(path))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private HttpRequest.Builder request(URI address) {
        var request = HttpRequest.newBuilder(address).timeout(REQUEST_MAX);
        return key.isEmpty() ? request : request.header("authorization", "Bearer " + key);
    }

    private Received.Answer send(String name, HttpRequest request, Predicate<String> enough) {
        try {
            var answer = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
            var body = new ByteArrayOutputStream();
            try (var in = answer.body()) {
                read(in, body, enough);
            } finally {
                received.add(new Received.Answer(name, answer.statusCode(), answer.headers(), body.toByteArray()));
            }
            return new Received.Answer(name, answer.statusCode(), answer.headers(), body.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void read(InputStream in, ByteArrayOutputStream body, Predicate<String> enough) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            body.write(buffer, 0, read);
            if (enough.test(body.toString(UTF_8))) {
                return;
            }
        }
    }
}
