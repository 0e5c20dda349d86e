package dev.counterpoint.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Talks to one API of the suite. Every failure is a [CommandFailure] of one line. Thread-safe.
final class SuiteClient {
    static final JsonMapper JSON = new JsonMapper();
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();
    private final String address;
    private final String key;
    private final String keySource;

    /// @param keySource where the key comes from, for messages
    SuiteClient(String address, String key, String keySource) {
        this.address = address;
        this.key = key;
        this.keySource = keySource;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    JsonNode get(String path) {
        return json(text("GET", path, null));
    }

    JsonNode send(String method, String path, @Nullable ObjectNode body) {
        return json(text(method, path, body));
    }

    /// The body of an answer as it is.
    String text(String method, String path, @Nullable ObjectNode body) {
        try (var answer = exchange(method, path, body).body()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreachable("broke off its answer");
        }
    }

    /// Reads a stream of events until its end, or until `taker` has thrown.
    ///
    /// @param body null to read an existing stream
    /// @param taker gets the data of each event
    void stream(String path, @Nullable ObjectNode body, Consumer<JsonNode> taker) {
        try (var lines = new BufferedReader(new InputStreamReader(
                exchange(body == null ? "GET" : "POST", path, body).body(), StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data:") && !line.equals("data: [DONE]")) {
                    taker.accept(json(line.substring("data:".length())));
                }
            }
        } catch (IOException e) {
            throw CommandFailure.refused("The connection to " + address + " broke before the stream ended.");
        }
    }

    private HttpResponse<InputStream> exchange(String method, String path, @Nullable ObjectNode body) {
        try {
            var answer = http.send(request(method, path, body), BodyHandlers.ofInputStream());
            if (answer.statusCode() / 100 != 2) {
                throw refusal(answer);
            }
            return answer;
        } catch (IOException e) {
            throw unreachable("does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("was not waited for");
        }
    }

    private HttpRequest request(String method, String path, @Nullable ObjectNode body) {
        URI uri;
        try {
            uri = URI.create(address + path);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.notAsked(address + " is no address.");
        }
        try {
            var request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + key);
            return body == null
                    ? request.method(method, BodyPublishers.noBody()).build()
                    : request.header("Content-Type", "application/json")
                            .method(method, BodyPublishers.ofString(body.toString()))
                            .build();
        } catch (IllegalArgumentException e) { // its message quotes the header
            throw CommandFailure.notAsked(
                    uri.getScheme() == null || uri.getHost() == null
                            ? address + " is no address: it begins with http:// or https://."
                            : "The key of " + keySource + " has characters that no key has.");
        }
    }

    private CommandFailure unreachable(String how) {
        return CommandFailure.notAsked(
                "The suite at " + address + " " + how + ". Is it running, and is the address right?");
    }

    private CommandFailure refusal(HttpResponse<InputStream> answer) throws IOException {
        String text;
        try (var body = answer.body()) {
            text = new String(body.readNBytes(1 << 16), StandardCharsets.UTF_8);
        }
        var message = message(text);
        if (answer.statusCode() == 401) {
            return CommandFailure.refused("The suite refuses the key of " + keySource + ": " + message);
        }
        return CommandFailure.refused(
                message.isEmpty()
                        ? address + " answered " + answer.statusCode() + " to "
                                + answer.request().method() + " " + answer.uri().getPath() + "."
                        : message + " (HTTP " + answer.statusCode() + ")");
    }

    private static String message(String body) {
        try {
            var tree = JSON.readTree(body);
            var error = tree.path("error");
            var message = error.isObject() ? error.path("message") : tree.path("message");
            return oneLine(message.isTextual() ? message : tree.path("detail"));
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    static String oneLine(JsonNode text) {
        return text.asText().strip().replaceAll("\\s+", " ");
    }

    private JsonNode json(String text) {
        try {
            var tree = JSON.readTree(text);
            return tree == null ? MissingNode.getInstance() : tree;
        } catch (JsonProcessingException e) {
            throw CommandFailure.refused(
                    address + " answered something that is not JSON. Is it Counterpoint's address?");
        }
    }
}
