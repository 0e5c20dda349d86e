package dev.counterpoint.testkit;

import dev.counterpoint.infra.DatabaseRoles;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;

/// A real PostgreSQL 18 for tests, with durability off. [#shared] is for everybody and stays; [#start] is one's
/// own, to be stopped and killed. Thread-safe.
public sealed interface TestPostgres extends AutoCloseable permits ContainerPostgres, EmbeddedPostgres, SharedPostgres {

    /// The server of this JVM. Tests take a database each: [#newDatabase].
    static TestPostgres shared() {
        return SharedPostgres.of(SharedServers.address("postgres", () -> SharedPostgres.address(start())));
    }

    /// A new server with nothing in it.
    ///
    /// @throws IllegalStateException when it cannot run here; says what to do
    static TestPostgres start() {
        return switch (TestInfra.current()) {
            case EMBEDDED -> EmbeddedPostgres.startNew();
            case CONTAINERS -> ContainerPostgres.startNew();
        };
    }

    /// How to connect to one database.
    record Database(String jdbcUrl, String user, String password) {}

    /// The database `postgres`, as superuser; stays the same over [#stop], [#kill] and [#restart].
    Database main();

    default String jdbcUrl() {
        return main().jdbcUrl();
    }

    default String user() {
        return main().user();
    }

    default String password() {
        return main().password();
    }

    /// Creates an empty database whose name begins with `prefix` and is used by nobody else.
    default Database newDatabase(String prefix) {
        String name = prefix.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_") + "_"
                + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        Database main = main();
        try (var connection = DriverManager.getConnection(main.jdbcUrl(), main.user(), main.password());
                var statement = connection.createStatement()) {
            statement.execute("create database \"" + name + "\"");
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot create database " + name, failure);
        }
        return new Database(main.jdbcUrl().replaceFirst("/[^/]*$", "/" + name), main.user(), main.password());
    }

    /// Creates an empty database for a service, with the roles of production.
    default ServiceDatabase newDatabase(DatabaseRoles service) {
        Database superuser = newDatabase(service.database());
        try (var connection =
                DriverManager.getConnection(superuser.jdbcUrl(), superuser.user(), superuser.password())) {
            DatabaseRoles.create(connection, _ -> superuser.password());
            service.give(connection);
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot make the roles of " + service, failure);
        }
        return new ServiceDatabase(
                new Database(superuser.jdbcUrl(), service.user(), superuser.password()),
                new Database(superuser.jdbcUrl(), service.owner(), superuser.password()),
                superuser);
    }

    /// Ends it in order; open connections are ended.
    void stop();

    /// Ends it at once, as a power cut would.
    void kill();

    /// Starts it again with the same rows, after [#stop] or [#kill].
    void restart();

    /// Ends it for good; the shared one stays.
    @Override
    void close();
}
