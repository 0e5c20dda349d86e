package dev.counterpoint.audit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.config.ConfigProvider;

/// Reads and changes the database of the service under test as its superuser.
public final class AuditTables {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private AuditTables() {}

    public static Connection connect() throws SQLException {
        var config = ConfigProvider.getConfig();
        return DriverManager.getConnection(
                config.getValue("quarkus.datasource.jdbc.url", String.class),
                config.getValue("test.superuser.name", String.class),
                config.getValue("test.superuser.password", String.class));
    }

    public static void execute(String sql, Object... parameters) {
        try (var connection = connect();
                var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The first column of all rows.
    public static List<String> select(String sql, Object... parameters) {
        try (var connection = connect();
                var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            var values = new ArrayList<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static long count(String sql, Object... parameters) {
        return Long.parseLong(select("select count(*) from " + sql, parameters).getFirst());
    }

    /// Waits for at most a minute until a condition holds.
    public static void await(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("waited for 60 s");
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    /// Waits until the table has at least the wanted number of rows.
    public static void await(long wanted, String sql, Object... parameters) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (count(sql, parameters) < wanted) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("waited " + PATIENCE + " for " + wanted + " rows of " + sql);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
