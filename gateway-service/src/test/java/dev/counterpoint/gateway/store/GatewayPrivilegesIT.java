package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.testkit.RefusedStatements;
import dev.counterpoint.testkit.TestPostgres.Database;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// M3: who has the gateway's way into PostgreSQL gets at rows, and at those of one tenant at a time.
@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class GatewayPrivilegesIT {
    private static final List<String> OWN = List.of(
            "drop table response",
            "truncate response",
            "alter table response disable row level security",
            "drop policy response_of_tenant on response",
            "alter function quota_hold(text, text) rename to other",
            "set role counterpoint_gateway_owner",
            "set role counterpoint_audit_staff");

    private final Database gateway = new Database(
            setting("quarkus.datasource.jdbc.url"),
            setting("quarkus.datasource.username"),
            setting("quarkus.datasource.password"));

    @Inject
    StoredResponses responses;

    @Inject
    StoredConversations conversations;

    @Inject
    Sql sql;

    static Stream<String> refused() {
        return Stream.concat(RefusedStatements.ALWAYS.stream(), OWN.stream());
    }

    @ParameterizedTest(name = "M3 the gateway may not: {0}")
    @MethodSource("refused")
    void theRoleOfRunTimeOwnsNothing(String statement) throws SQLException {
        assertThat(RefusedStatements.stateOf(gateway, statement)).isEqualTo(RefusedStatements.NO_PRIVILEGE);
    }

    @Test
    @DisplayName("M3 the gateway's role gets into no other database")
    void getsIntoNoOtherDatabase() {
        var other = gateway.jdbcUrl().replaceFirst("/[^/]*$", "/postgres");

        assertThatThrownBy(() -> DriverManager.getConnection(other, gateway.user(), gateway.password()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("permission denied for database");
    }

    @Test
    @DisplayName("M3 rows are those of the tenant that is set, and none without")
    void rowsAreThoseOfTheTenantThatIsSet() {
        // Given
        var mine = accepted("tenant_a");
        var others = accepted("tenant_b");
        var talk = "conv_" + UUID.randomUUID();
        conversations.create(new StoredConversations.NewConversation(
                talk,
                GatewayDatabase.defaultProject("tenant_b"),
                "key",
                Instant.now(),
                null,
                Instant.now().plusSeconds(60)));
        conversations.append(
                talk,
                GatewayDatabase.defaultProject("tenant_b"),
                List.of(new StoredConversations.NewItem("msg_" + talk, "{}", null)),
                Instant.now().plusSeconds(60));
        // Then a query that forgets the tenant
        assertThat(ids(sql)).isEmpty();
        assertThat(ids(sql.as("tenant_a"))).contains(mine).doesNotContain(others);
        assertThat(ids(sql.as(Sql.EVERY_TENANT))).contains(mine, others);
        assertThat(sql.as("tenant_a").update("delete from response where id = ?", others))
                .isZero();
        assertThat(sql.as("tenant_a").list(String.class, "select id from conversation_item"))
                .doesNotContain("msg_" + talk);
        assertThat(sql.as("tenant_b").list(String.class, "select id from conversation_item"))
                .contains("msg_" + talk);
        assertThatThrownBy(() ->
                        sql.as("tenant_a").update("update response set tenant_id = 'tenant_b' where id = ?", mine))
                .isInstanceOf(Sql.FailedException.class)
                .hasMessageContaining(RefusedStatements.NO_PRIVILEGE);
        assertThat(responses.find(others, GatewayDatabase.defaultProject("tenant_b")))
                .isPresent();
    }

    @Test
    @DisplayName("M3 the tenant of a statement stays on no connection")
    void theTenantOfAStatementStaysOnNoConnection() {
        accepted("tenant_a");
        for (int connection = 0; connection < 40; connection++) {
            sql.as("tenant_a").list(String.class, "select id from response");
            assertThat(ids(sql)).isEmpty();
        }
    }

    private String accepted(String tenant) {
        var id = "resp_" + UUID.randomUUID();
        responses.restore(new StoredResponses.NewRow(
                id,
                GatewayDatabase.defaultProject(tenant),
                "key",
                Instant.now(),
                "m",
                false,
                true,
                null,
                "[]",
                Instant.now().plusSeconds(60),
                null,
                null));
        return id;
    }

    private static List<String> ids(Sql as) {
        return as.list(String.class, "select id from response");
    }

    private static String setting(String name) {
        return ConfigProvider.getConfig().getValue(name, String.class);
    }
}
