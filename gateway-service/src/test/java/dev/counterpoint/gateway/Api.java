package dev.counterpoint.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.validator.testkit.ValidatedStreams;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigProvider;

/// Talks to the gateway under test as a client would. Thread-safe.
public final class Api {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private static final Pattern STARTING_AFTER = Pattern.compile("[?&]starting_after=(\\d+)");
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String token;

    /// @param token API key or admin token; empty for none
    public Api(String token) {
        this.token = token;
    }

    public static Api admin() {
        return new Api(GatewayDatabase.ADMIN_TOKEN);
    }

    public record Answer(int status, HttpResponse<byte[]> http) {
        public JsonNode json() {
            return WireJson.parse(http.body());
        }

        public String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    public Answer post(String path, String json) {
        return method("POST", path, json);
    }

    public Answer method(String method, String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json)));
    }

    public HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            var answer = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
            validate(answer);
            return new Answer(answer.statusCode(), answer);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// A stream is validated as one that is read event by event would be; those of the probe are none of the API's.
    private static void validate(HttpResponse<byte[]> answer) {
        var stream = answer.headers().firstValue("content-type").orElse("").startsWith("text/event-stream");
        if (stream && !answer.uri().getPath().startsWith("/v1/probe/")) {
            var after = STARTING_AFTER.matcher(answer.uri().toString());
            ValidatedStreams.validate(answer.body(), after.find() ? Long.parseLong(after.group(1)) : -1);
        }
    }

    public HttpResponse<InputStream> stream(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path).GET().build(), BodyHandlers.ofInputStream());
    }

    /// A new tenant; `settings` are more members, such as `"requests_per_minute": 5`.
    ///
    /// @return its id
    public static String newTenant(String settings) {
        var name = "tenant-" + NAMES.incrementAndGet() + "-" + System.nanoTime();
        var members = settings.isEmpty() ? "" : ", " + settings;
        return admin().post("/admin/tenants", "{\"name\": \"%s\"%s}".formatted(name, members))
                .json()
                .get("id")
                .asText();
    }

    /// A new key of a tenant, with `scopes` as in `"reasoning:raw"`.
    public static JsonNode newKey(String tenant, String... scopes) {
        var list = WireJson.write(scopes);
        return admin().post("/admin/tenants/" + tenant + "/keys", "{\"scopes\": " + list + "}")
                .json();
    }

    /// A caller of a tenant.
    public static Api ofTenant(String tenant, String... scopes) {
        return new Api(newKey(tenant, scopes).get("secret").asText());
    }

    /// A caller of a tenant's project, who may read summaries.
    public static Api ofProject(String tenant, String project) {
        var key = admin().post("/admin/tenants/" + tenant + "/keys", "{\"project\": \"" + project + "\"}");
        return new Api(key.json().get("secret").asText());
    }

    /// A caller with a new tenant of its own.
    public static Api newCaller(String... scopes) {
        return new Api(newKey(newTenant(""), scopes).get("secret").asText());
    }

    /// A caller of a tenant that agreed to the audit, with a key that asks.
    public static Api newAuditedCaller() {
        var tenant = newTenant("\"audit_opt_in\":{\"agreed_by\":\"the tests\"}");
        return new Api(newKey(tenant, "reasoning:summary").get("secret").asText());
    }

    public static URI uri(String path) {
        var port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", String.class);
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
