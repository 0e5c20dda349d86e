package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.testkit.RefusedStatements;
import dev.counterpoint.testkit.TestPostgres.Database;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// M3: who has a service's way into PostgreSQL gets no further than the service has to.
@QuarkusTest
@WithTestResource(AuditParts.class)
class AuditPrivilegesIT {
    private static final String TENANT = "tenant-of-privileges";
    private static final List<String> OWN = List.of(
            "drop table trace_record",
            "alter table trace_record disable row level security",
            "alter table event add column x text",
            "set role counterpoint_audit_owner",
            "set role counterpoint_gateway",
            // Without one of its two roles it may do nothing at all.
            "select response from trace_record",
            "select id from event",
            "insert into dead_letter (topic) values ('x')");

    private final Database audit = new Database(
            setting("quarkus.datasource.jdbc.url"),
            setting("quarkus.datasource.username"),
            setting("quarkus.datasource.password"));

    static Stream<String> refused() {
        return Stream.concat(RefusedStatements.ALWAYS.stream(), OWN.stream());
    }

    @ParameterizedTest(name = "M3 the audit service may not: {0}")
    @MethodSource("refused")
    void theRoleOfRunTimeOwnsNothing(String statement) throws SQLException {
        assertThat(RefusedStatements.stateOf(audit, statement)).isEqualTo(RefusedStatements.NO_PRIVILEGE);
    }

    @ParameterizedTest(name = "M3 {0} may not: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "counterpoint_audit_intake | delete from trace_record",
                "counterpoint_audit_intake | update trace_record set tenant = 'x'",
                "counterpoint_audit_intake | delete from data_key",
                "counterpoint_audit_intake | delete from event",
                "counterpoint_audit_intake | insert into erasure (id) values ('x')",
                "counterpoint_audit_staff | delete from trace_record",
                "counterpoint_audit_staff | update trace_record set tenant = 'x'",
                "counterpoint_audit_staff | insert into trace_record (response) values ('x')",
                "counterpoint_audit_staff | update data_key set wrapped_key = ''",
                "counterpoint_audit_staff | update event set body = '{}'",
                "counterpoint_audit_staff | delete from event",
                "counterpoint_audit_staff | delete from erasure",
                "counterpoint_audit_staff | update erasure set key_ids = ''",
                "counterpoint_audit_intake | update event set personal = null",
                "counterpoint_audit_intake | update trace_record set subject_token = null",
                "counterpoint_audit_staff | update event set salt = ''",
                "counterpoint_audit_intake | select id from gateway_erasure",
                "counterpoint_audit_intake | select found from scan",
                "counterpoint_audit_staff | delete from gateway_erasure",
                "counterpoint_audit_staff | update gateway_erasure set tenant = ''",
                "counterpoint_audit_intake | update row_counter set last = 0",
                "counterpoint_audit_staff | update row_counter set last = 0",
                "counterpoint_audit_staff | delete from row_counter",
                "counterpoint_audit_staff | update log_leaf set leaf = ''",
                "counterpoint_audit_staff | select body from dead_letter",
                "counterpoint_audit_staff | update dead_letter set cause = 'x'",
                "counterpoint_audit_staff | delete from dead_letter",
                "counterpoint_audit_intake | update tenant_key set wrapped_key = ''",
                "counterpoint_audit_staff | update tenant_key set tenant = 'x'"
            })
    void neitherOfItsRolesChangesWhatIsOnRecord(String role, String statement) throws SQLException {
        assertThat(RefusedStatements.stateOf(audit, statement, "set local role " + role))
                .isEqualTo(RefusedStatements.NO_PRIVILEGE);
    }

    @Test
    @DisplayName("M3 another tenant's rows are not there, and none without a tenant")
    void anotherTenantsRowsAreNotThere() throws SQLException {
        AuditTables.execute("""
            insert into tenant_key (tenant, wrapped_key, wrapped_search_key, created_at)
            values (?, '', '', now()) on conflict do nothing\
            """, TENANT);

        assertThat(tenantsSeen("counterpoint_audit_intake", "other")).isZero();
        assertThat(tenantsSeen("counterpoint_audit_intake", "*")).isZero();
        assertThat(tenantsSeen("counterpoint_audit_intake", "")).isZero();
        assertThat(tenantsSeen("counterpoint_audit_staff", "")).isZero();
        assertThat(tenantsSeen("counterpoint_audit_intake", TENANT)).isOne();
        assertThat(tenantsSeen("counterpoint_audit_staff", "*")).isPositive();
    }

    private long tenantsSeen(String role, String tenant) throws SQLException {
        try (var connection = DriverManager.getConnection(audit.jdbcUrl(), audit.user(), audit.password());
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set local role " + role);
            statement.execute("set local counterpoint.tenant = '" + tenant + "'");
            try (var rows = statement.executeQuery("select count(*) from tenant_key")) {
                rows.next();
                return rows.getLong(1);
            } finally {
                connection.rollback();
            }
        }
    }

    @ParameterizedTest(name = "M3 {0} gets not into the audit database")
    @CsvSource({"counterpoint_gateway", "counterpoint_gateway_owner"})
    void theGatewaysRolesGetNotIntoTheAuditDatabase(String role) {
        assertThatThrownBy(() -> DriverManager.getConnection(audit.jdbcUrl(), role, audit.password()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("permission denied for database");
    }

    private static String setting(String name) {
        return ConfigProvider.getConfig().getValue(name, String.class);
    }
}
