package dev.counterpoint.testkit;

import dev.counterpoint.testkit.TestPostgres.Database;
import java.util.Map;

/// A service's database with the roles of production: tests of a service run it as [#service], never as superuser.
///
/// @param service the role of run time
/// @param owner the role of the migrations
/// @param superuser for tests that change what the service cannot
public record ServiceDatabase(Database service, Database owner, Database superuser) {
    private static final String SUPERUSER = "test.superuser";

    /// The settings of the service, and for the test itself the way in as superuser.
    public Map<String, String> settings() {
        return Map.of(
                "quarkus.datasource.jdbc.url",
                service.jdbcUrl(),
                "quarkus.datasource.username",
                service.user(),
                "quarkus.datasource.password",
                service.password(),
                "quarkus.flyway.username",
                owner.user(),
                "quarkus.flyway.password",
                owner.password(),
                SUPERUSER + ".name",
                superuser.user(),
                SUPERUSER + ".password",
                superuser.password());
    }
}
