package dev.counterpoint.gateway.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.gateway.turn.TurnIds;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rows that a gateway left behind before anything of them was in the log.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
@Timeout(120)
class LeftBehindRowsIT {
    private static final Duration LONG_AGO = Duration.ofMinutes(15).plusSeconds(1);
    private static final Duration SECONDS_AGO = Duration.ofSeconds(16);
    private static final Duration NOT_YET = Duration.ofMinutes(15).minusSeconds(30);
    private static final List<ModelOutput> ANSWER = ModelScript.read("""
        [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]\
        """);

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");

    @Inject
    LeftBehindRows left;

    @Inject
    RecoveredTurns recovery;

    @Inject
    StoredResponses rows;

    private final TestSuperuser database = new TestSuperuser();

    @AfterEach
    void theBusAnswersAgain() {
        FakeModels.replaysFail(null);
    }

    @Test
    void whatNeverCameIntoALogEndsAsFailed() throws Exception {
        // Given
        var response = running();
        FakeModels.loseLast();
        accepted(response, LONG_AGO);
        var completion = completion();
        accepted(completion, LONG_AGO);
        // When
        left.run();
        // Then
        var json = caller.get("/v1/responses/" + response).json();
        assertThat(json.path("status").asText()).isEqualTo("failed");
        assertThat(json.at("/error/code").asText()).isEqualTo("server_error");
        assertThat(json.path("model").asText()).isEqualTo(FakeModels.MODEL);
        assertThat(status(completion)).isEqualTo("failed");
        assertThat(caller.post("/v1/responses/" + response + "/cancel", "").json())
                .as("nothing is left to cancel")
                .isEqualTo(json);
    }

    @Test
    void whatALogKnowsIsLeftToItsOwner() throws Exception {
        // Given
        var response = running();
        accepted(response, LONG_AGO);
        // When
        left.run();
        // Then
        assertThat(status(response)).isEqualTo("in_progress");
        ANSWER.forEach(FakeModels.last().generation()::say);
        while (!status(response).equals("completed")) {
            Thread.sleep(10);
        }
    }

    @Test
    void whatMayStillComeIsWaitedFor() throws Exception {
        // Given
        var response = running();
        FakeModels.loseLast();
        accepted(response, NOT_YET);
        // When
        left.run();
        // Then
        assertThat(status(response)).isEqualTo("in_progress");
    }

    @Test
    @DisplayName("f11: a row of a gateway that died before frame 0 ends within seconds")
    void aRowOfAGatewayThatIsGoneEndsAtOnce() throws Exception {
        // Given
        var young = completion();
        var ours = completion();
        accepted(ours, SECONDS_AGO);
        var inLog = running();
        var deserted = List.of(completion(), completion());
        for (var id : List.of(deserted.getFirst(), deserted.getLast(), inLog)) {
            accepted(id, SECONDS_AGO);
            of("gateway-gone", id);
        }
        of("gateway-gone", young);
        // When
        left.endThoseOfSilentGateways();
        // Then
        assertThat(deserted).allMatch(id -> status(id).equals("failed"));
        assertThat(List.of(young, ours, inLog)).allMatch(id -> status(id).equals("in_progress"));
    }

    @Test
    @DisplayName("f11: a turn whose thread died is finished from its log")
    void whatItsLogHasBroughtToAnEndIsWrittenFromThere() throws Exception {
        // Given a response that has ended and whose row does not say so
        var response = running();
        ANSWER.forEach(FakeModels.last().generation()::say);
        while (!status(response).equals("completed")) {
            Thread.sleep(10);
        }
        database.createNativeMutationQuery("""
                        update response set status = 'in_progress', response = null, finished_at = null
                        where id = :id""").setParameter("id", response).executeUpdate();
        accepted(response, LONG_AGO);
        // When
        left.run();
        // Then
        var json = caller.get("/v1/responses/" + response).json();
        assertThat(json.path("status").asText()).isEqualTo("completed");
        assertThat(json.toString()).contains("\"text\":\"4\"");
    }

    @Test
    @DisplayName("frame 0 of a request that was refused comes after all: its log ends as its row did")
    void whatWasRefusedIsNotCancelled() throws Exception {
        // Given
        var response = running();
        var started = FakeModels.last();
        var id = TurnIds.parse(response).orElseThrow();
        left.endAsFailed(rows.unended(response).orElseThrow());
        // When
        recovery.take(started.generation(), accepted(id), new byte[0]);
        // Then
        assertThat(started.generation().isSettled()).isTrue();
        assertThat(started.generation().log()).containsExactly(new ModelOutput.Stopped(OwnerEnd.Reason.NOT_QUEUED));
    }

    private Accepted accepted(ResponseId id) {
        long now = id.acceptedAtMillis();
        var nothing = new byte[0];
        return new Accepted(
                tenant,
                "key-1",
                FakeModels.MODEL,
                now,
                now + 60_000,
                Set.of(),
                true,
                true,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(nothing, nothing, nothing, nothing),
                "gateway-gone",
                1);
    }

    private void of(String gateway, String id) {
        database.createNativeMutationQuery("update response set gateway = :gateway where id = :id")
                .setParameter("gateway", gateway)
                .setParameter("id", id)
                .executeUpdate();
    }

    @Test
    void noAnswerOfTheBusIsNotANo() throws Exception {
        // Given
        var completion = completion();
        accepted(completion, LONG_AGO);
        for (var trouble : List.of(new BackendUnavailableException("away"), new Replays.BusyException())) {
            FakeModels.replaysFail(trouble);
            // When
            left.run();
            // Then
            assertThat(status(completion)).isEqualTo("in_progress");
        }
    }

    @Test
    void oneThatCannotBeReadHoldsUpNoOther() throws Exception {
        // Given more than are looked at at once
        var broken = response();
        accepted(broken, LONG_AGO);
        var others = new ArrayList<String>();
        for (int i = 0; i < 150; i++) {
            others.add(completion());
            accepted(others.getLast(), LONG_AGO);
        }
        // When
        left.run();
        // Then
        assertThat(others).allMatch(id -> status(id).equals("failed"));
        assertThat(status(broken)).isEqualTo("in_progress");
    }

    @Test
    void aTombstoneStaysAsItIs() throws Exception {
        // Given
        var completion = completion();
        accepted(completion, LONG_AGO);
        rows.delete(completion, GatewayDatabase.defaultProject(tenant));
        // When
        left.run();
        // Then
        assertThat(rows.find(completion, GatewayDatabase.defaultProject(tenant)))
                .isEmpty();
        assertThat(rows.finish(completion, tenant, "completed", "{}"))
                .as("the first ending is still to come")
                .isTrue();
    }

    /// A background response that a model runs.
    private String running() {
        FakeModels.next(List.of());
        return caller.post("/v1/responses", """
            {"model":"%s","input":"2+2?","background":true}\
            """.formatted(FakeModels.MODEL))
                .json()
                .path("id")
                .asText();
    }

    private String completion() {
        var id = new TurnIds(ResponseId.create(System.currentTimeMillis(), 3)).completion();
        row(id);
        return id;
    }

    /// With an input that is none.
    private String response() {
        var id = new TurnIds(ResponseId.create(System.currentTimeMillis(), 3)).response();
        row(id);
        return id;
    }

    private void row(String id) {
        var now = Instant.now();
        rows.restore(new StoredResponses.NewRow(
                id,
                GatewayDatabase.defaultProject(tenant),
                "key-1",
                now,
                FakeModels.MODEL,
                false,
                true,
                null,
                "[]",
                now.plusSeconds(3_600),
                null,
                null));
    }

    private void accepted(String id, Duration ago) {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery("update response set created_at = :at where id = :id")
                        .setParameter("at", Instant.now().minus(ago))
                        .setParameter("id", id)
                        .executeUpdate());
    }

    private String status(String id) {
        return rows.find(id, GatewayDatabase.defaultProject(tenant))
                .orElseThrow()
                .status();
    }
}
