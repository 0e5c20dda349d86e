package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class StoredResponsesIT {
    private static final String INPUT = "[ {\"b\":1,  \"a\":\"ü\\u0000\\ud83d\\ude00\"} ]";
    private static final String RESPONSE = "{\"z\":0,\"a\":[1.0,1e3]}";

    @Inject
    StoredResponses responses;

    @Inject
    TurnReasoning reasoning;

    private final TestSuperuser database = new TestSuperuser();

    @Test
    void comesBackByteByByte() {
        // Given
        var row = row("tenant-a", Duration.ofDays(1));
        responses.restore(row);

        // When
        boolean first = responses.finish(row.id(), "tenant-a", "completed", RESPONSE);

        // Then
        assertThat(first).isTrue();
        assertThat(responses.find(row.id(), GatewayDatabase.defaultProject("tenant-a")))
                .contains(new StoredResponses.Row(
                        row.id(),
                        GatewayDatabase.defaultProject("tenant-a"),
                        "key-1",
                        row.createdAt(),
                        "completed",
                        "gpt-oss",
                        false,
                        true,
                        "resp_before",
                        INPUT,
                        RESPONSE,
                        row.expiresAt(),
                        null));
    }

    @Test
    void isInProgressUntilItEnds() {
        var row = row("tenant-a", Duration.ofDays(1));

        responses.restore(row);

        var found = responses
                .find(row.id(), GatewayDatabase.defaultProject("tenant-a"))
                .orElseThrow();
        assertThat(found.status()).isEqualTo("in_progress");
        assertThat(found.responseJson()).isNull();
    }

    @Test
    void theFirstEndingStays() {
        // Given
        var row = row("tenant-a", Duration.ofDays(1));
        responses.restore(row);
        responses.finish(row.id(), "tenant-a", "completed", RESPONSE);

        // When
        boolean first = responses.finish(row.id(), "tenant-a", "failed", "{}");

        // Then
        assertThat(first).isFalse();
        assertThat(responses
                        .find(row.id(), GatewayDatabase.defaultProject("tenant-a"))
                        .orElseThrow()
                        .status())
                .isEqualTo("completed");
    }

    @Test
    void anEndingNeverMakesARow() {
        var id = "resp_" + UUID.randomUUID();

        assertThat(responses.finish(id, "tenant-a", "completed", RESPONSE)).isFalse();
        assertThat(responses.find(id, GatewayDatabase.defaultProject("tenant-a")))
                .isEmpty();
    }

    @Test
    void whatIsDeletedStaysDeletedWhateverComesLate() {
        // Given
        var row = row("tenant-a", Duration.ofDays(1));
        responses.restore(row);

        // When
        boolean deleted = responses.delete(row.id(), GatewayDatabase.defaultProject("tenant-a"));
        boolean first = responses.finish(row.id(), "tenant-a", "completed", RESPONSE);
        boolean second = responses.finish(row.id(), "tenant-a", "completed", RESPONSE);

        // Then
        assertThat(deleted).isTrue();
        assertThat(first).as("it ended, though nothing is kept").isTrue();
        assertThat(second).isFalse();
        assertThat(responses.find(row.id(), GatewayDatabase.defaultProject("tenant-a")))
                .isEmpty();
        assertThat(responses.delete(row.id(), GatewayDatabase.defaultProject("tenant-a")))
                .as("again")
                .isFalse();
        assertThat(content(row.id())).as("nothing of it is left").isEqualTo("nothing");
    }

    @Test
    void noTenantSeesEndsOrDeletesWhatIsAnothers() {
        // Given
        var row = row("tenant-a", Duration.ofDays(1));
        responses.restore(row);

        // Then
        assertThat(responses.find(row.id(), GatewayDatabase.defaultProject("tenant-b")))
                .isEmpty();
        assertThat(responses.finish(row.id(), "tenant-b", "failed", "{}")).isFalse();
        assertThat(responses.delete(row.id(), GatewayDatabase.defaultProject("tenant-b")))
                .isFalse();
        assertThat(responses
                        .find(row.id(), GatewayDatabase.defaultProject("tenant-a"))
                        .orElseThrow()
                        .status())
                .isEqualTo("in_progress");
    }

    @Test
    void anIdIsTakenOnce() {
        var row = row("tenant-a", Duration.ofDays(1));
        responses.restore(row);

        assertThat(responses.restore(row)).isFalse();
    }

    @Test
    void whatHasExpiredIsNotFoundAndThenGone() {
        // Given
        var row = row("tenant-a", Duration.ofDays(-1));
        responses.restore(row);

        // Then
        assertThat(responses.find(row.id(), GatewayDatabase.defaultProject("tenant-a")))
                .isEmpty();
        responses.expired().run();
        assertThat(count("response", "id = '" + row.id() + "'")).isZero();
    }

    @Test
    void reasoningOfATurnIsFoundByItsTenantOnlyAndReplaced() {
        // Given
        var call = "call_" + UUID.randomUUID();
        var hour = Instant.now().plus(Duration.ofHours(1));
        reasoning.put(entry(call, "sealed-1", hour));

        // When
        reasoning.put(entry(call, "sealed-2", hour));

        // Then
        assertThat(reasoning.find(GatewayDatabase.defaultProject("tenant-a"), call))
                .contains("sealed-2");
        assertThat(reasoning.find(GatewayDatabase.defaultProject("tenant-b"), call))
                .isEmpty();
    }

    @Test
    void reasoningOfATurnIsForgotten() {
        var call = "call_" + UUID.randomUUID();
        reasoning.put(entry(call, "sealed", Instant.now().minusSeconds(1)));

        assertThat(reasoning.find(GatewayDatabase.defaultProject("tenant-a"), call))
                .isEmpty();
        reasoning.expired().run();
        assertThat(count("turn_reasoning", "tool_call_id = '" + call + "'")).isZero();
    }

    private static TurnReasoning.Entry entry(String call, String sealed, Instant expiresAt) {
        return new TurnReasoning.Entry("tenant-a", "key-1", "", Instant.now(), List.of(call), sealed, expiresAt);
    }

    private static StoredResponses.NewRow row(String tenant, Duration life) {
        var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return new StoredResponses.NewRow(
                "resp_" + UUID.randomUUID(),
                GatewayDatabase.defaultProject(tenant),
                "key-1",
                now,
                "gpt-oss",
                false,
                true,
                "resp_before",
                INPUT,
                now.plus(life),
                null,
                null);
    }

    private String content(String id) {
        return database.createNativeQuery(
                        "select coalesce(input_items, response, previous_response_id, 'nothing') from response"
                                + " where id = :id",
                        String.class)
                .setParameter("id", id)
                .getSingleResult();
    }

    private long count(String table, String where) {
        return database.createNativeQuery("select count(*) from " + table + " where " + where, Long.class)
                .getSingleResult();
    }
}
