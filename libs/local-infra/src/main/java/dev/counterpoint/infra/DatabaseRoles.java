package dev.counterpoint.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.postgresql.PGConnection;

/// The PostgreSQL roles of each service that keeps something: one that owns its tables and runs its migrations,
/// and one for run time that owns nothing. Made by `roles.sql` and `database.sql` beside this class, which
/// operators run too.
public enum DatabaseRoles {
    GATEWAY,
    AUDIT;

    /// Any number, the same in every process: roles belong to the whole server, and two must not change one at once.
    private static final long LOCK = 0x636f756e746572L;

    /// The name of the service's database where it has one of its own server to itself.
    public String database() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The role of the service at run time.
    public String user() {
        return "counterpoint_" + database();
    }

    /// The role that runs the migrations.
    public String owner() {
        return user() + "_owner";
    }

    /// Makes the roles of all services, or brings them back to what they should be.
    ///
    /// @param superuser in any database of the server; its transaction ends
    /// @param passwords gives each role that logs in its password
    public static void create(Connection superuser, UnaryOperator<String> passwords) throws SQLException {
        superuser.setAutoCommit(false);
        try (var statement = superuser.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
            statement.execute(script("roles.sql"));
            for (var service : values()) {
                for (var role : new String[] {service.user(), service.owner()}) {
                    setPassword(superuser, role, passwords.apply(role));
                }
            }
            superuser.commit();
        } finally {
            superuser.setAutoCommit(true);
        }
    }

    /// Sends only the password's hash, because PostgreSQL logs statements that fail.
    public static void setPassword(Connection superuser, String role, String password) throws SQLException {
        superuser.unwrap(PGConnection.class).alterUserPassword(role, password.toCharArray(), null);
    }

    /// Makes the roles of all services, and the database of each of `services` where it is not there yet.
    ///
    /// @param superuser connects the superuser to the database of this name
    /// @param passwords gives each role that logs in its password
    public static void install(Connecting superuser, Iterable<DatabaseRoles> services, UnaryOperator<String> passwords)
            throws SQLException {
        try (var server = superuser.to(PostgresServer.USER)) {
            create(server, passwords);
            for (var service : services) {
                createDatabase(server, service.database());
                try (var database = superuser.to(service.database())) {
                    service.give(database);
                }
            }
        }
    }

    /// Opens connections to the databases of one server.
    @FunctionalInterface
    public interface Connecting {
        Connection to(String database) throws SQLException;
    }

    /// Creates `name` if it is not there. Only letters, digits and underscores.
    static void createDatabase(Connection superuser, String name) throws SQLException {
        if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException("not a plain database name: " + name);
        }
        try (var statement = superuser.createStatement();
                var found = statement.executeQuery("select 1 from pg_database where datname = '" + name + "'")) {
            if (!found.next()) {
                statement.execute("create database " + name);
            }
        }
    }

    /// Gives a database to this service; tables that are there already get the service's owner.
    ///
    /// @param superuser in that database
    public void give(Connection superuser) throws SQLException {
        try (var statement = superuser.createStatement()) {
            statement.execute("set counterpoint.service = '" + database() + "'");
            statement.execute(script("database.sql"));
        }
    }

    private static String script(String name) {
        try (var file = Objects.requireNonNull(DatabaseRoles.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
