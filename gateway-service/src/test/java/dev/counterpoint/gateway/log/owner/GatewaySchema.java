package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.TestPostgres;
import dev.counterpoint.testkit.TestPostgres.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/// The gateway's own schema in a database of a test's own.
public final class GatewaySchema {
    private GatewaySchema() {}

    /// Flyway learns PostgreSQL from a module that only Quarkus brings in, so the files are run as they are.
    public static DataSource fresh() {
        var fresh = TestPostgres.shared().newDatabase(DatabaseRoles.GATEWAY);
        lay(connecting(fresh.owner()));
        return connecting(fresh.service());
    }

    private static void lay(DataSource database) {
        try (var files = Files.list(Path.of("src/main/resources/db/migration"));
                var connection = database.getConnection();
                var statement = connection.createStatement()) {
            for (var file : files.sorted(Comparator.comparingInt(GatewaySchema::version))
                    .toList()) {
                statement.execute(Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("the schema cannot be made", e);
        }
    }

    /// Of `V10__turns.sql` it is 10.
    private static int version(Path file) {
        var name = file.getFileName().toString();
        return Integer.parseInt(name.substring(1, name.indexOf("__")));
    }

    private static DataSource connecting(Database to) {
        return connecting(() -> DriverManager.getConnection(to.jdbcUrl(), to.user(), to.password()));
    }

    private static DataSource connecting(Callable<Connection> connection) {
        return (DataSource) Proxy.newProxyInstance(
                GatewaySchema.class.getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, _) -> {
                    assertThat(method.getName()).isEqualTo("getConnection");
                    return connection.call();
                });
    }
}
