package dev.counterpoint.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.ConfigProvider;

/// Asks the service under test as staff does.
///
/// @param token empty for none
/// @param colleague token of who approves this one's erasures
public record StaffClient(String token, String colleague, URI root) {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private static final ObjectMapper JSON = new ObjectMapper();

    public StaffClient(String token) {
        this(
                token,
                Tokens.ofTest().token("colleague", "compliance.approve"),
                root(ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class)));
    }

    public static URI root(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /// Waits until the service under test knows every erasure; before that it shows nothing.
    static void awaitReady() {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (with("nobody").get("/q/health/ready").status() != 200) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("not ready");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /// A staff member with every role.
    public static StaffClient everything() {
        return with(
                "officer",
                "compliance.search",
                "compliance.read",
                "compliance.erase",
                "compliance.approve",
                "compliance.hold",
                "auditor");
    }

    public static StaffClient with(String subject, String... roles) {
        return new StaffClient(Tokens.ofTest().token(subject, roles));
    }

    public record Answer(int status, String text, HttpResponse<byte[]> http) {
        public JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException e) {
                throw new UncheckedIOException(text, e);
            }
        }

        public String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }

        /// The code of an error.
        public String code() {
            return json().path("error").path("code").asText();
        }

        /// The field of an error.
        public String field() {
            return json().path("error").path("field").asText();
        }
    }

    public Answer search(String json) {
        return post("/audit/v1/records/search", json);
    }

    public Answer read(String response) {
        return post(
                "/audit/v1/records/" + response + "/read", "{\"case_id\":\"CASE-1\",\"reason\":\"complaint 4711\"}");
    }

    /// Asks for an erasure, and has a colleague approve it.
    ///
    /// @return the receipt, or why one of the two was refused
    public Answer erase(String tenant, String subject) {
        return erased(askErasure(tenant, subject));
    }

    /// Has a colleague approve an erasure.
    ///
    /// @return the receipt, or why it was refused
    public Answer erased(Answer asked) {
        var approved = approved(asked);
        return approved.status() == 200
                ? approver()
                        .get("/audit/v1/erasures/" + approved.json().path("id").asText())
                : approved;
    }

    /// Has a colleague approve what this one asked for.
    public Answer approved(Answer asked) {
        if (asked.status() != 202) {
            return asked;
        }
        return approver().approve(asked.json().path("id").asText());
    }

    private StaffClient approver() {
        return new StaffClient(colleague, "", root);
    }

    public Answer approve(String request) {
        return post("/audit/v1/requests/" + request + "/approve", "{\"reason\":\"it is justified\"}");
    }

    public Answer cancel(String request) {
        return post("/audit/v1/requests/" + request + "/cancel", "{}");
    }

    public Answer askErasure(String tenant, String subject) {
        return post(
                "/audit/v1/requests",
                ("{\"action\":\"erase\",\"tenant\":\"%s\",\"subject\":\"%s\","
                                + "\"case_id\":\"CASE-2\",\"reason\":\"asked for it\"}")
                        .formatted(tenant, subject));
    }

    public Answer accessLog(String query) {
        return get("/audit/v1/access-log?" + query);
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json)));
    }

    public Answer send(String method, String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(root.resolve(path)).timeout(Duration.ofSeconds(30));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            var answer = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8), answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "Staff[root=" + root + "]";
    }
}
