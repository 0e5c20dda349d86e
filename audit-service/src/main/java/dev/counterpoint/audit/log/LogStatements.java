package dev.counterpoint.audit.log;

import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/// Runs SQL with whole arrays as parameters on the connection of the open transaction.
public record LogStatements(EntityManager entities) {
    /// Reads one row.
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// A parameter that is an array of one of PostgreSQL's types.
    record Values(String type, Object[] values) {}

    static Values texts(Collection<String> values) {
        return new Values("text", values.toArray(String[]::new));
    }

    static Values bytes(Collection<byte[]> values) {
        return new Values("bytea", values.toArray(byte[][]::new));
    }

    static Values numbers(Collection<Long> values) {
        return new Values("bigint", values.toArray(Long[]::new));
    }

    /// Whole numbers in a row.
    static Values numbers(long first, int count) {
        return numbers(LongStream.range(first, first + count).boxed().toList());
    }

    /// @return how many rows it changed
    int run(String sql, @Nullable Object... parameters) {
        return entities.unwrap(Session.class).doReturningWork(connection -> {
            try (var statement = prepared(connection, sql, parameters)) {
                return statement.executeUpdate();
            }
        });
    }

    public <T> List<T> rows(String sql, RowReader<T> reader, @Nullable Object... parameters) {
        return entities.unwrap(Session.class).doReturningWork(connection -> {
            var found = new ArrayList<T>();
            try (var statement = prepared(connection, sql, parameters);
                    var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
            }
            return found;
        });
    }

    private static PreparedStatement prepared(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        var statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            var parameter = parameters[i];
            if (parameter instanceof Values(String type, Object[] values)) {
                statement.setArray(i + 1, connection.createArrayOf(type, values));
            } else {
                statement.setObject(i + 1, parameter);
            }
        }
        return statement;
    }
}
