package dev.counterpoint.gateway;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigProvider;

/// The gateway's database as its superuser, for tests that look behind the gateway or change what the gateway's
/// own role cannot. Parameters are `:named`. Each statement is a transaction of its own.
public final class TestSuperuser {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z]+)");

    public <T> Query<T> createNativeQuery(String sql, Class<T> type) {
        return new Query<>(sql, type);
    }

    public Query<Void> createNativeMutationQuery(String sql) {
        return new Query<>(sql, Void.class);
    }

    /// A statement with its parameters.
    public static final class Query<T> {
        private final String sql;
        private final Class<T> type;
        private final Map<String, Object> parameters = new HashMap<>();

        private Query(String sql, Class<T> type) {
            this.sql = sql;
            this.type = type;
        }

        public Query<T> setParameter(String name, Object value) {
            parameters.put(name, value instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : value);
            return this;
        }

        /// The only column of the only row.
        public T getSingleResult() {
            var rows = getResultList();
            if (rows.size() != 1) {
                throw new AssertionError(rows.size() + " rows of " + sql);
            }
            return rows.getFirst();
        }

        /// The only column of every row.
        public List<T> getResultList() {
            try (var connection = connect();
                    var statement = prepared(connection);
                    var rows = statement.executeQuery()) {
                var values = new ArrayList<T>();
                while (rows.next()) {
                    values.add(value(rows));
                }
                return values;
            } catch (SQLException failure) {
                throw new AssertionError(sql, failure);
            }
        }

        public int executeUpdate() {
            try (var connection = connect();
                    var statement = prepared(connection)) {
                return statement.executeUpdate();
            } catch (SQLException failure) {
                throw new AssertionError(sql, failure);
            }
        }

        @SuppressWarnings("NullAway") // a column without a value is null
        private T value(ResultSet rows) throws SQLException {
            if (type == Instant.class) {
                var time = rows.getObject(1, OffsetDateTime.class);
                return type.cast(time == null ? null : time.toInstant());
            }
            return rows.getObject(1, type);
        }

        private PreparedStatement prepared(Connection connection) throws SQLException {
            var statement = connection.prepareStatement(PARAMETER.matcher(sql).replaceAll("?"));
            int number = 0;
            for (var name :
                    PARAMETER.matcher(sql).results().map(MatchResult::group).toList()) {
                statement.setObject(++number, parameters.get(name.substring(1)));
            }
            return statement;
        }
    }

    /// A connection of its own; the caller closes it.
    public static Connection connect() throws SQLException {
        var config = ConfigProvider.getConfig();
        return DriverManager.getConnection(
                config.getValue("quarkus.datasource.jdbc.url", String.class),
                config.getValue("test.superuser.name", String.class),
                config.getValue("test.superuser.password", String.class));
    }
}
