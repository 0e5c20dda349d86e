package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class SqlIT {
    private static final String INSERT = """
            insert into turn_reasoning (tenant_id, tool_call_id, encrypted_content, expires_at)
            values (?, ?, ?, ?)""";
    private static final String COUNT = "select count(*) from turn_reasoning where tenant_id = ?";

    private final String tenant = "tenant_" + UUID.randomUUID();

    @Inject
    Sql sql;

    @Inject
    StoredResponses responses;

    private record AllTypes(
            @Nullable String text,
            long number,
            int small,
            boolean yes,
            double real,
            Instant time,
            LocalDate day,
            byte[] bytes,
            @Nullable Long none,
            @Nullable Instant never) {}

    @Test
    void readsEveryTypeThatARowMayHave() {
        // When
        var row = sql.first(AllTypes.class, """
                select 'text', 7::bigint, 8, true, 0.5::double precision, timestamptz '2026-01-02 03:04:05 UTC',
                    date '2026-01-02', '\\x0102'::bytea, null::bigint, null::timestamptz""").orElseThrow();

        // Then
        assertThat(row.text).isEqualTo("text");
        assertThat(row.number).isEqualTo(7);
        assertThat(row.small).isEqualTo(8);
        assertThat(row.yes).isTrue();
        assertThat(row.real).isEqualTo(0.5);
        assertThat(row.time).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(row.day).isEqualTo(LocalDate.of(2026, 1, 2));
        assertThat(row.bytes).containsExactly(1, 2);
        assertThat(row.none).isNull();
        assertThat(row.never).isNull();
    }

    @Test
    void takesParametersInTheirOrder() {
        var time = Instant.parse("2026-01-02T03:04:05Z");

        var texts = sql.list(String.class, """
                select word from unnest(?) word
                where word <> ? and cast(? as text) is null and ? < now() and ? < 2 order by 1""", List.of("b", "a", "c"), "b", null, time, 1L);

        assertThat(texts).containsExactly("a", "c");
    }

    @Test
    void aStatementIsPartOfTheTransactionAtHand() {
        // When one is rolled back and one is committed
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(() -> {
                    insert("call-1");
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        QuarkusTransaction.requiringNew().run(() -> insert("call-2"));

        // Then
        assertThat(sql.as(tenant).first(Long.class, COUNT, tenant)).contains(1L);
    }

    @Test
    void aStatementSharesItsTransactionWithEntities() {
        // Given
        var now = Instant.now();
        var row = new StoredResponses.NewRow(
                "resp_" + tenant,
                GatewayDatabase.defaultProject(tenant),
                "key",
                now,
                "m",
                false,
                true,
                null,
                "[]",
                now.plus(Duration.ofDays(1)),
                null,
                null);

        // When
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(() -> {
                    responses.restore(row);
                    responses.finish(row.id(), tenant, "completed", "{}");
                    insert("call");
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");

        // Then
        assertThat(responses.find(row.id(), GatewayDatabase.defaultProject(tenant)))
                .isEmpty();
        assertThat(sql.as(tenant).first(Long.class, COUNT, tenant)).contains(0L);
    }

    @Test
    void aFailureNamesTheStateAndNoValue() {
        insert("call");

        assertThatThrownBy(() -> insert("call"))
                .isInstanceOf(Sql.FailedException.class)
                .hasMessage("a statement failed, sqlState=23505")
                .hasCauseInstanceOf(SQLException.class);
    }

    private void insert(String call) {
        sql.as(tenant).update(INSERT, tenant, call, "sealed", Instant.now().plusSeconds(60));
    }
}
