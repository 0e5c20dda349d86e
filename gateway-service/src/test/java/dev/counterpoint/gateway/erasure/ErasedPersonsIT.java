package dev.counterpoint.gateway.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.store.PersonErasures;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.store.TurnReasoning;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// What is stored of an erased person goes, of both APIs, and nothing of anybody else. The bus is away, so the erasures
/// are those that were read before.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ErasedPersonsIT {
    private static final String RESPONSES = "/v1/responses";
    private static final String COMPLETIONS = "/v1/chat/completions";
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private final String tenant = Api.newTenant("");
    private final JsonNode key = Api.newKey(tenant);
    private final String keyId = key.findValue("id").asText();
    private final Api caller = new Api(key.get("secret").asText());
    private final TestSuperuser database = new TestSuperuser();

    @Inject
    KeyRing keys;

    @Inject
    PersonErasures erasures;

    @Inject
    StoredResponses responses;

    @Inject
    TurnReasoning reasoning;

    @Test
    void everythingOfThePersonGoesAndNothingElse() {
        // Given
        var alices =
                List.of(response("\"user\":\" alice \""), response("\"safety_identifier\":\"alice\",\"user\":\"x\""));
        var aliceSaid = completion("\"user\":\"alice\"");
        var talk = conversation();
        response("\"user\":\"alice\",\"conversation\":\"" + talk + "\"");
        var kept = List.of(
                RESPONSES + "/" + response("\"user\":\"bob\""),
                RESPONSES + "/" + response("\"user\":\"Alice\""),
                RESPONSES + "/" + response("\"safety_identifier\":\"bob\",\"user\":\"alice\""),
                RESPONSES + "/" + response("\"metadata\":{}"),
                COMPLETIONS + "/" + completion("\"safety_identifier\":\"bob\""),
                COMPLETIONS + "/" + completion("\"metadata\":{}"),
                CONVERSATIONS + "/" + conversationOf("\"user\":\"bob\""),
                CONVERSATIONS + "/" + conversation());
        think("alice", "call_alice");
        think("bob", "call_bob");
        announce(alices.getFirst());
        database.createNativeMutationQuery("update response set subject_token = null where id = :id")
                .setParameter("id", alices.getLast())
                .executeUpdate(); // as a gateway of the version before wrote it
        // When
        var erased = erase("alice", "");
        // Then
        assertThat(erased).isEqualTo(new ErasedRows(3, 1, 1, 1, 1));
        for (var id : alices) {
            assertThat(caller.get(RESPONSES + "/" + id).status()).isEqualTo(404);
        }
        assertThat(caller.get(COMPLETIONS + "/" + aliceSaid).status()).isEqualTo(404);
        assertThat(caller.get(CONVERSATIONS + "/" + talk).status()).isEqualTo(404);
        for (var path : kept) {
            assertThat(caller.get(path).status()).as(path).isEqualTo(200);
        }
        assertThat(count("turn_reasoning where tool_call_id = 'call_alice" + tenant + "'"))
                .isZero();
        assertThat(count("turn_reasoning where tool_call_id = 'call_bob" + tenant + "'"))
                .isOne();
        assertThat(count("response where tenant_id = '" + tenant + "' and deleted_at is not null"
                        + " and coalesce(input_items, response, previous_response_id) is not null"))
                .isZero();
        assertThat(caller.get(RESPONSES + "/" + response("\"user\":\"alice\"")).status())
                .as("accepted after the erasure")
                .isEqualTo(200);
    }

    @Test
    void everythingOfATenantGoes() {
        // Given
        var gone = List.of(
                RESPONSES + "/" + response("\"user\":\"alice\""),
                RESPONSES + "/" + response("\"metadata\":{}"),
                COMPLETIONS + "/" + completion("\"user\":\"bob\""),
                CONVERSATIONS + "/" + conversationOf("\"user\":\"bob\""),
                CONVERSATIONS + "/" + conversation());
        think("bob", "call_bob");
        var elsewhere = Api.newTenant("");
        var other = new Api(Api.newKey(elsewhere).get("secret").asText());
        FakeModels.next(FOUR);
        var kept = other.post(RESPONSES, request("\"user\":\"alice\""))
                .json()
                .path("id")
                .asText();
        // When
        var erased = erase(Erase.EVERYBODY);
        // Then
        assertThat(erased).isEqualTo(new ErasedRows(3, 1, 2, 1, 0));
        for (var path : gone) {
            assertThat(caller.get(path).status()).as(path).isEqualTo(404);
        }
        assertThat(other.get(RESPONSES + "/" + kept).status()).isEqualTo(200);
        assertThat(caller.get(RESPONSES + "/" + response("\"user\":\"alice\"")).status())
                .as("accepted after the erasure")
                .isEqualTo(200);
    }

    @Test
    void whereARequestNamesNobodyThePersonIsTheKey() {
        // Given
        var nobodys = response("\"metadata\":{}");
        var blank = completion("\"user\":\" \"");
        var empty = conversation();
        var bobs = response("\"user\":\"bob\"");
        var ofBob = conversationOf("\"user\":\"bob\"");
        // When
        var erased = erase("", keyId);
        // Then
        assertThat(erased).isEqualTo(new ErasedRows(1, 1, 1, 0, 0));
        assertThat(caller.get(RESPONSES + "/" + nobodys).status()).isEqualTo(404);
        assertThat(caller.get(COMPLETIONS + "/" + blank).status()).isEqualTo(404);
        assertThat(caller.get(CONVERSATIONS + "/" + empty).status()).isEqualTo(404);
        assertThat(caller.get(RESPONSES + "/" + bobs).status()).isEqualTo(200);
        assertThat(caller.get(CONVERSATIONS + "/" + ofBob).status()).isEqualTo(200);
    }

    @Test
    void aResponseThatRunsIsCancelledAndStaysBlank() {
        // Given
        FakeModels.next(List.of());
        var running = caller.post(RESPONSES, request("\"user\":\"alice\",\"background\":true"))
                .json()
                .path("id")
                .asText();
        // When
        erase("alice", "");
        // Then
        assertThat(caller.get(RESPONSES + "/" + running).status()).isEqualTo(404);
        await(() -> count("response where id = '" + running + "' and finished_at is not null") == 1);
        assertThat(count("response where id = '" + running + "' and coalesce(input_items, response) is null"))
                .isOne();
    }

    @Test
    void whatWasAcceptedBeforeAndIsWrittenLateGoesToo() {
        // Given
        var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        var erased = erase("alice", "");
        assertThat(erased.total()).isZero();
        // When
        var id = "resp_" + UUID.randomUUID();
        var life = before.plus(Duration.ofDays(1));
        var owner = GatewayDatabase.defaultProject(tenant);
        responses.restore(new StoredResponses.NewRow(
                id, owner, keyId, before, "m", false, true, null, "[\"a secret\"]", life, null, null));
        responses.finish(id, tenant, "completed", "{\"user\":\"alice\",\"output\":[]}");
        reasoning.put(
                new TurnReasoning.Entry(tenant, keyId, "alice", before, List.of("late" + tenant), "sealed", life));
        // Then
        await(() -> count("response where id = '" + id + "' and deleted_at is not null and input_items is null") == 1);
        await(() -> count("turn_reasoning where tool_call_id = 'late" + tenant + "'") == 0);
    }

    /// @return what the gateway put on record, once
    private ErasedRows erase(String user, String apiKey) {
        return erase(keys.subjectTokens().of(tenant, user, apiKey));
    }

    private ErasedRows erase(byte[] token) {
        var id = "erasure-" + UUID.randomUUID();
        erasures.note(List.of(new Erase(id, tenant, token, System.currentTimeMillis())), 0, 0);
        await(() -> count("person_erasure where id = '" + id + "' and answered_at is not null") == 1);
        var entries = FakeModels.accesses().stream()
                .filter(entry -> entry.id().equals(AccessEntry.Action.ROWS_ERASED.entryOf(id)))
                .toList();
        assertThat(entries).hasSize(1);
        return Objects.requireNonNull(entries.getFirst().erased());
    }

    private String response(String members) {
        FakeModels.next(FOUR);
        var answer = caller.post(RESPONSES, request(members));
        assertThat(answer.status()).isEqualTo(200);
        return answer.json().path("id").asText();
    }

    private static String request(String members) {
        return "{\"model\":\"%s\",\"input\":\"2+2?\",%s}".formatted(FakeModels.MODEL, members);
    }

    private String completion(String members) {
        FakeModels.next(FOUR);
        return caller.post(
                        COMPLETIONS,
                        "{\"model\":\"%s\",\"store\":true,\"messages\":[{\"role\":\"user\",\"content\":\"2+2?\"}],%s}"
                                .formatted(FakeModels.MODEL, members))
                .json()
                .path("id")
                .asText();
    }

    private String conversation() {
        return caller.post(CONVERSATIONS, "{\"items\":[{\"role\":\"user\",\"content\":\"hello\"}]}")
                .json()
                .path("id")
                .asText();
    }

    private String conversationOf(String members) {
        var id = conversation();
        response(members + ",\"conversation\":\"" + id + "\"");
        return id;
    }

    private void think(String user, String call) {
        var now = Instant.now();
        reasoning.put(new TurnReasoning.Entry(
                tenant, keyId, user, now, List.of(call + tenant), "sealed", now.plusSeconds(3_000)));
    }

    /// A webhook that does not answer.
    private void announce(String response) {
        var endpoint = "we_" + UUID.randomUUID();
        database.createNativeMutationQuery("""
                        insert into webhook_endpoint (id, tenant_id, project, name, url, event_types, secret,
                            secret_hint)
                        values (:id, :tenant, 'default', 'n', 'http://127.0.0.1:1/', '', 's', 's')""")
                .setParameter("id", endpoint)
                .setParameter("tenant", tenant)
                .executeUpdate();
        database.createNativeMutationQuery("""
                        insert into webhook_delivery (endpoint_id, tenant_id, event_id, event_type, response_id, due_at)
                        values (:id, :tenant, 'e', 'response.completed', :response, now() + interval '1 hour')""")
                .setParameter("id", endpoint)
                .setParameter("tenant", tenant)
                .setParameter("response", response)
                .executeUpdate();
    }

    private long count(String table) {
        return database.createNativeQuery("select count(*) from " + table, Long.class)
                .getSingleResult();
    }

    private static void await(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for 60 s").isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
