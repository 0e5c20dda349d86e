package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// One worker with one slot, a tenant that asks for far more, and another one.
@ExtendWith(SharedSuite.class)
class AdmissionIT {
    private static final int WAITING_PER_TENANT_MAX = 6;
    /// One that runs, two that stand in Kafka, one whose turn it was, and one that may have ended meanwhile.
    private static final int A_FEW = 5;
    private static final int TRIES_MAX = 200;
    private static final String QUESTION =
            "{\"model\":\"%s\",\"input\":\"Count from 1 to 12.\"%s}".formatted(SharedSuite.SINGLE, "%s");
    private static final String IN_BACKGROUND = QUESTION.formatted(",\"background\":true");
    private static final Map<String, String> SETTINGS =
            Map.of("GATEWAY_ADMISSION_WAITING_PER_TENANT_MAX", Integer.toString(WAITING_PER_TENANT_MAX));

    private static RunningSuite suite;
    private static RunningSuite.Service gateway;
    private static ApiClient flood;
    private static ApiClient other;

    @BeforeAll
    static void start() {
        suite = SharedSuite.suite();
        gateway = SharedSuite.startGateway(SETTINGS);
        flood = suite.client(gateway, RunningSuite.SUMMARY_KEY);
        other = suite.client(gateway, RunningSuite.OTHER_KEY);
    }

    @AfterAll
    static void stop() {
        gateway.process().close();
    }

    @BeforeEach
    void awaitIdle() throws InterruptedException {
        Eventually.until(() -> gateway.metric("counterpoint_gateway_open"), open -> open == 0);
    }

    @Test
    void aFloodIsRefusedEarlyAndDelaysAnotherTenantByAFewJobs() throws InterruptedException {
        // Given
        int before = FramesLog.read(suite.kafka.bootstrapServers()).frames().size();
        var accepted = new ArrayList<String>();
        var refused = flood(accepted);
        // When
        var id = accept(other.post("/v1/responses", IN_BACKGROUND));
        Eventually.until(
                () -> FramesLog.read(suite.kafka.bootstrapServers()), log -> log.position(id, FrameKind.FENCE) >= 0);
        // Then
        var log = FramesLog.read(suite.kafka.bootstrapServers());
        int asked = log.position(id, FrameKind.ACCEPTED);
        assertThat(log.count(FrameKind.FENCE, asked, log.position(id, FrameKind.FENCE)))
                .isLessThanOrEqualTo(A_FEW);
        assertThat(refused.http().headers().firstValue("retry-after")).isPresent();
        assertThat(refused.error().path("code").asText()).isEqualTo("rate_limit_exceeded");
        assertThat(log.count(FrameKind.ACCEPTED, before, asked))
                .as("what was refused is not in the log")
                .isEqualTo(accepted.size());
        assertThat(gateway.metric("counterpoint_gateway_refused_total")).isPositive();
    }

    @Test
    void whoLeavesWhileItWaitsGivesItsPlaceBackAndIsNeverTaken() throws Exception {
        // Given
        int before = FramesLog.read(suite.kafka.bootstrapServers()).frames().size();
        flood(new ArrayList<>());
        // When
        try (var http = HttpClient.newHttpClient()) {
            var asked = http.sendAsync(
                    other.request("/v1/responses")
                            .header("content-type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(QUESTION.formatted(",\"service_tier\":\"flex\"")))
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
            Eventually.until(() -> gateway.metric("counterpoint_gateway_waiting{band=\"low\""), low -> low == 1);
            asked.cancel(true);
            http.shutdownNow();
        }
        Eventually.until(() -> gateway.metric("counterpoint_gateway_waiting{band=\"low\""), low -> low == 0);
        // Then
        var ended = Eventually.until(() -> cancelled(before), cancelled -> !cancelled.isEmpty());
        awaitIdle();
        var log = FramesLog.read(suite.kafka.bootstrapServers());
        assertThat(ended)
                .allSatisfy(id -> assertThat(log.position(id, FrameKind.FENCE)).isEqualTo(-1));
    }

    @Test
    @Tag("nightly")
    void whatWaitedInAKilledGatewayIsServedAfterItsRestart() throws InterruptedException {
        // Given
        var accepted = new ArrayList<String>();
        flood(accepted);
        // When
        gateway.process().kill();
        gateway = SharedSuite.startGateway(SETTINGS);
        var again = suite.client(gateway, RunningSuite.SUMMARY_KEY);
        // Then
        for (var id : accepted) {
            var answer = Eventually.until(
                    () -> again.get("/v1/responses/" + id),
                    read -> read.body().path("status").asText().equals("completed"));
            assertThat(answer.body().toString()).contains("12");
        }
    }

    private static List<String> cancelled(int before) {
        return FramesLog.read(suite.kafka.bootstrapServers()).frames().stream()
                .skip(before)
                .filter(frame -> frame.kind() == FrameKind.OWNER_END)
                .filter(frame -> OwnerEnd.decode(frame.body()).reason() == OwnerEnd.Reason.CANCELLED)
                .map(frame -> frame.response().toString())
                .toList();
    }

    /// Asks until it is told to stop.
    ///
    /// @param accepted gets the ids of what was taken
    private static ApiClient.Answer flood(List<String> accepted) {
        for (int i = 0; i < TRIES_MAX; i++) {
            var answer = flood.post("/v1/responses", IN_BACKGROUND);
            if (answer.status() == 429) {
                return answer;
            }
            accepted.add(accept(answer));
        }
        throw new AssertionError("nothing was refused");
    }

    private static String accept(ApiClient.Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(answer.body().path("status").asText()).isEqualTo("queued");
        return answer.body().path("id").asText();
    }
}
