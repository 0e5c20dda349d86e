package dev.counterpoint.servicekit;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks whether the database is set up for this service: its login, its role, its tables and its clock. Thread-safe.
public final class DatabaseCheck implements MisconfigurationSource {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseCheck.class);
    private static final Duration CLOCKS_APART_MAX = Duration.ofSeconds(2);
    private static final Duration HOLDS = Duration.ofSeconds(10);
    private static final String QUESTION = """
            select current_user,
                r.rolsuper or exists (
                    select 1 from pg_tables where tableowner = current_user and schemaname = 'public'),
                exists (select 1 from pg_attribute where attrelid = to_regclass(?) and attname = ?),
                clock_timestamp()
            from pg_roles r where r.rolname = current_user""";

    private final DataSource database;
    private final InstantSource clock;
    private final String table;
    private final String column;
    private List<Misconfiguration> found = List.of();
    private Instant askedAt = Instant.MIN;

    /// @param newest a column that the newest migration adds, as `table.column`
    public DatabaseCheck(DataSource database, InstantSource clock, String newest) {
        this.database = database;
        this.clock = clock;
        table = newest.substring(0, newest.indexOf('.'));
        column = newest.substring(table.length() + 1);
    }

    /// The state of a database that answers.
    ///
    /// @param strong whether the role is superuser or owns tables
    /// @param migrated whether the newest column is there
    /// @param time by the database's clock
    record Answer(String role, boolean strong, boolean migrated, Instant time) {}

    @Override
    public synchronized List<Misconfiguration> misconfigurations() {
        var now = clock.instant();
        if (now.isAfter(askedAt.plus(HOLDS)) || now.isBefore(askedAt)) {
            askedAt = now;
            var fresh = ask();
            fresh.stream()
                    .filter(each -> found.stream().noneMatch(old -> old.code().equals(each.code())))
                    .forEach(each -> LOG.error("misconfigured code={} text=\"{}\"", each.code(), each.text()));
            found = fresh;
        }
        return found;
    }

    private List<Misconfiguration> ask() {
        try (var connection = database.getConnection()) {
            return of(answer(connection), clock.instant());
        } catch (SQLException failure) {
            return List.of(of(failure));
        }
    }

    private Answer answer(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(QUESTION)) {
            statement.setString(1, table);
            statement.setString(2, column);
            try (var row = statement.executeQuery()) {
                row.next();
                var time = row.getObject(4, OffsetDateTime.class).toInstant();
                return new Answer(row.getString(1), row.getBoolean(2), row.getBoolean(3), time);
            }
        }
    }

    static List<Misconfiguration> of(Answer answer, Instant now) {
        var found = new ArrayList<Misconfiguration>();
        if (answer.strong) {
            found.add(new Misconfiguration(
                    "database-role-strong",
                    "role " + answer.role + " is superuser or owns tables, so no row is kept from it; run database.sql"
                            + " and give this service its own role"));
        }
        if (!answer.migrated) {
            found.add(new Misconfiguration(
                    "migration-missing",
                    "the database is older than this version; run the migrations (quarkus.flyway.migrate-at-start)"));
        }
        var apart = Duration.between(now, answer.time).abs();
        if (apart.compareTo(CLOCKS_APART_MAX) > 0) {
            found.add(new Misconfiguration(
                    "clock-apart",
                    "the clocks of this machine and of the database are " + apart.toSeconds()
                            + " s apart; run NTP on both"));
        }
        return List.copyOf(found);
    }

    static Misconfiguration of(SQLException failure) {
        var state = Objects.requireNonNullElse(failure.getSQLState(), "");
        if (state.equals("3D000")) {
            return new Misconfiguration(
                    "database-missing", "the server has no such database; createdb, then roles.sql and database.sql");
        }
        return state.startsWith("28")
                ? new Misconfiguration(
                        "database-login",
                        "PostgreSQL refuses the role or the password of quarkus.datasource; run roles.sql, and"
                                + " `alter role … password`")
                : new Misconfiguration(
                        "database-unreachable",
                        "the database does not answer (" + state + "); start it, or correct"
                                + " quarkus.datasource.jdbc.url");
    }
}
