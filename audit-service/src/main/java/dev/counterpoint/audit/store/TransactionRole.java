package dev.counterpoint.audit.store;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import javax.sql.DataSource;

/// Takes on the PostgreSQL role that a transaction needs. The role that this service logs in as may do nothing, so
/// a transaction that has taken no role fails. Each method needs an open transaction and holds until that ends;
/// each is one statement. Thread-safe.
@ApplicationScoped
public class TransactionRole {
    /// Staff may search across tenants; intake never sees more than one.
    public static final String EVERY_TENANT = "*";

    private static final String TAKE = "select set_config('role', ?, true), set_config('counterpoint.tenant', ?, true)";
    private static final String INTAKE = "counterpoint_audit_intake";
    private static final String STAFF = "counterpoint_audit_staff";

    private final DataSource database;

    TransactionRole(DataSource database) {
        this.database = database;
    }

    /// Adds records of one tenant. Erasures of that tenant and this transaction exclude each other, so an erasure sees
    /// the new record, or the record sees the erasure.
    public void intake(String tenant) {
        take(TAKE + ", pg_advisory_xact_lock_shared(hashtextextended(?, 0))", INTAKE, tenant, tenant);
    }

    /// Makes keys of a tenant, while nobody else does. It comes after [#intake(String)].
    public void makingKeys(String tenant) {
        take("select pg_advisory_xact_lock(hashtextextended(?, 2))", tenant);
    }

    /// Adds rows without a tenant: access entries, dead letters.
    public void intake() {
        take(TAKE, INTAKE, "");
    }

    /// Searches, reads, writes the access log.
    ///
    /// @param tenant or [#EVERY_TENANT]
    public void staff(String tenant) {
        take(TAKE, STAFF, tenant);
    }

    /// Erases in one tenant, while nothing is stored there.
    public void erasing(String tenant) {
        take(TAKE + ", pg_advisory_xact_lock(hashtextextended(?, 0))", STAFF, tenant, tenant);
    }

    /// Continues the audit log, while no other replica does.
    public void sequencing() {
        take(TAKE + ", pg_advisory_xact_lock(hashtextextended('audit-log', 1))", STAFF, EVERY_TENANT);
    }

    /// Wraps keys anew, while no other replica does.
    public void rewrapping() {
        take(TAKE + ", pg_advisory_xact_lock(hashtextextended('root-keys', 1))", STAFF, EVERY_TENANT);
    }

    private void take(String sql, String... parameters) {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            statement.execute();
        } catch (SQLException failure) {
            throw new RoleException(failure);
        }
    }

    /// The database did not give the role.
    static final class RoleException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RoleException(SQLException cause) {
            super("no role in the database, sqlState=" + cause.getSQLState(), cause);
        }
    }
}
