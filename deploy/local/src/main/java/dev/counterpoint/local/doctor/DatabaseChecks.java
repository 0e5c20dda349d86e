package dev.counterpoint.local.doctor;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/// Whether a service gets to its database as the role that it should be, and finds its tables there.
///
/// @param migration number of the newest one that the service brings along
/// @param clock of this machine
public record DatabaseChecks(int migration, InstantSource clock) {
    private static final Duration APART_MAX = Duration.ofSeconds(2);
    private static final String CONNECT_SECONDS = "5";

    public List<Misconfiguration> look(DiagnosedService service) {
        var found = new ArrayList<Misconfiguration>();
        try (var connection = connect(service, "DATASOURCE")) {
            tooStrong(service, connection, found);
            apart(service, connection, found);
        } catch (SQLException failure) {
            return List.of(refused(service, "QUARKUS_DATASOURCE_USERNAME", failure));
        }
        if (service.setting("QUARKUS_FLYWAY_USERNAME").isPresent()) {
            try (var connection = connect(service, "FLYWAY")) {
                migrations(service, connection, found);
            } catch (SQLException failure) {
                found.add(refused(service, "QUARKUS_FLYWAY_USERNAME", failure));
            }
        }
        return List.copyOf(found);
    }

    private static String url(DiagnosedService service) {
        return service.setting("QUARKUS_DATASOURCE_JDBC_URL").orElse("jdbc:postgresql://localhost:5432/");
    }

    private static Connection connect(DiagnosedService service, String as) throws SQLException {
        var login = new Properties();
        service.setting("QUARKUS_" + as + "_USERNAME").ifPresent(user -> login.setProperty("user", user));
        service.setting("QUARKUS_" + as + "_PASSWORD").ifPresent(password -> login.setProperty("password", password));
        login.setProperty("connectTimeout", CONNECT_SECONDS);
        login.setProperty("loginTimeout", CONNECT_SECONDS);
        login.setProperty("ApplicationName", "doctor");
        return DriverManager.getConnection(url(service), login);
    }

    private static Misconfiguration refused(DiagnosedService service, String user, SQLException failure) {
        var state = Objects.requireNonNullElse(failure.getSQLState(), "");
        var role = service.setting(user).orElse("nobody");
        if (state.equals("3D000")) {
            return new Misconfiguration(
                    "database-missing",
                    "the server of %s has no such database".formatted(DiagnosedService.shown(url(service))),
                    "createdb, then roles.sql and database.sql (docs/operations.md, Roles in PostgreSQL)");
        }
        if (state.startsWith("28")) {
            return new Misconfiguration(
                    "database-login",
                    "PostgreSQL does not let the %s in as %s: no such role, or another password"
                            .formatted(service, role),
                    "run roles.sql, and `alter role %s password '…'` with the one of the service".formatted(role));
        }
        return new Misconfiguration(
                "database-unreachable",
                "%s does not answer the %s (%s)".formatted(DiagnosedService.shown(url(service)), service, state),
                "start PostgreSQL, or set QUARKUS_DATASOURCE_JDBC_URL to where it listens");
    }

    private static void tooStrong(DiagnosedService service, Connection connection, List<Misconfiguration> found)
            throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select current_user, rolsuper or exists (select 1 from pg_tables"
                        + " where tableowner = current_user and schemaname = 'public') from pg_roles"
                        + " where rolname = current_user")) {
            if (row.next() && row.getBoolean(2)) {
                found.add(new Misconfiguration(
                        "database-role-strong",
                        "the %s runs as %s, which is superuser or owns the tables, so no row is kept from it"
                                .formatted(service, row.getString(1)),
                        "run database.sql, and the service as counterpoint_" + service));
            }
        }
    }

    private void apart(DiagnosedService service, Connection connection, List<Misconfiguration> found)
            throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select clock_timestamp()")) {
            row.next();
            var there = row.getObject(1, OffsetDateTime.class).toInstant();
            var apart = Duration.between(clock.instant(), there).abs();
            if (apart.compareTo(APART_MAX) > 0) {
                found.add(new Misconfiguration(
                        "clock-apart",
                        "the clocks of this machine and of the %s's database are %d s apart"
                                .formatted(service, apart.toSeconds()),
                        "run NTP (chrony, systemd-timesyncd) on both: deadlines and leases go by the clock"));
            }
        }
    }

    private void migrations(DiagnosedService service, Connection connection, List<Misconfiguration> found)
            throws SQLException {
        int there = 0;
        try (var statement = connection.createStatement();
                var table = statement.executeQuery("select to_regclass('public.flyway_schema_history') is not null")) {
            table.next();
            if (table.getBoolean(1)) {
                there = newest(connection);
            }
        }
        if (there < migration) {
            found.add(new Misconfiguration(
                    "migration-missing",
                    "the %s's database is at migration %d, and this version needs %d"
                            .formatted(service, there, migration),
                    "start the service with quarkus.flyway.migrate-at-start=true, or its init job"));
        }
    }

    private static int newest(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select coalesce(max(version::int), 0) from flyway_schema_history"
                        + " where success and version ~ '^[0-9]+$'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
