package dev.counterpoint.audit.store;

import dev.counterpoint.servicekit.DatabaseCheck;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import javax.sql.DataSource;

/// Checks the set-up of the audit service's database.
final class AuditDatabaseBeans {
    /// A column of the newest migration.
    static final String NEWEST = "scan.found";

    private AuditDatabaseBeans() {}

    @Produces
    @Singleton
    static DatabaseCheck check(DataSource database) {
        return new DatabaseCheck(database, InstantSource.system(), NEWEST);
    }
}
