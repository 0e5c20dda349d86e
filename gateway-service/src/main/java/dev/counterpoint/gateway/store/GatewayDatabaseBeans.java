package dev.counterpoint.gateway.store;

import dev.counterpoint.servicekit.DatabaseCheck;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import javax.sql.DataSource;

/// Checks the set-up of the gateway's database.
final class GatewayDatabaseBeans {
    /// A column of the newest migration.
    static final String NEWEST = "response_story.story";

    private GatewayDatabaseBeans() {}

    @Produces
    @Singleton
    static DatabaseCheck check(DataSource database) {
        return new DatabaseCheck(database, InstantSource.system(), NEWEST);
    }
}
