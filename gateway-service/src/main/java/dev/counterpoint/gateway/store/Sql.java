package dev.counterpoint.gateway.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Native SQL for all rows but those of tenants and keys, which are entities. Each `?` takes the next
/// parameter, and a collection of texts is an array. A statement is part of the transaction at hand, or one by
/// itself. Thread-safe.
///
/// PostgreSQL shows the rows of responses, conversations and what hangs on them only to a statement or transaction that
/// has said whose rows it means: [#as], [#transactionAs]. One that has not sees none.
@ApplicationScoped
public class Sql {
    /// For the gateway's own chores, which belong to no tenant.
    public static final String EVERY_TENANT = "*";

    /// Goes to the server together with the statement it stands before, so it costs no round trip.
    private static final String SET_TENANT = "select set_config('counterpoint.tenant', ?, true)";

    private static final ClassValue<Row<?>> ROWS = new ClassValue<>() {
        @Override
        protected Row<?> computeValue(Class<?> type) {
            return Row.of(type);
        }
    };

    private final DataSource database;
    private final @Nullable String tenant;

    @Inject
    public Sql(DataSource database) {
        this(database, null);
    }

    private Sql(DataSource database, @Nullable String tenant) {
        this.database = database;
        this.tenant = tenant;
    }

    /// The same for the rows of one tenant, or of [#EVERY_TENANT].
    public Sql as(String ofTenant) {
        return new Sql(database, ofTenant);
    }

    /// Lets the rest of the transaction at hand see the rows of one tenant, or of [#EVERY_TENANT].
    public void transactionAs(String ofTenant) {
        list(String.class, SET_TENANT, ofTenant);
    }

    /// A statement failed. The message says nothing of its values.
    public static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FailedException(SQLException cause) {
            super("a statement failed, sqlState=" + cause.getSQLState(), cause);
        }

        /// PostgreSQL's code for the failure, or null when the database did not answer.
        public @Nullable String sqlState() {
            return getCause() instanceof SQLException failure ? failure.getSQLState() : null;
        }
    }

    /// Runs a statement without a result.
    ///
    /// @return how many rows it changed
    public int update(String statement, @Nullable Object... parameters) {
        return run(statement, parameters, PreparedStatement::getUpdateCount);
    }

    /// The rows of a query.
    ///
    /// @param type a record whose components are the columns in their order, or the type of the only column
    public <T> List<T> list(Class<T> type, String query, @Nullable Object... parameters) {
        @SuppressWarnings("unchecked") // each is kept under its own type
        var row = (Row<T>) ROWS.get(type);
        return run(query, parameters, statement -> {
            var rows = new ArrayList<T>();
            try (var results = statement.getResultSet()) {
                while (results.next()) {
                    rows.add(row.read(results));
                }
            }
            return rows;
        });
    }

    /// The first row of a query, if there is one.
    public <T> Optional<T> first(Class<T> type, String query, @Nullable Object... parameters) {
        return list(type, query, parameters).stream().findFirst();
    }

    @FunctionalInterface
    private interface Use<R> {
        R of(PreparedStatement statement) throws SQLException;
    }

    private <R> R run(String sql, @Nullable Object[] parameters, Use<R> use) {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(tenant == null ? sql : SET_TENANT + "; " + sql)) {
            int set = 0;
            if (tenant != null) {
                statement.setString(++set, tenant);
            }
            for (var parameter : parameters) {
                statement.setObject(++set, onTheWire(parameter, connection));
            }
            statement.execute();
            if (tenant != null) {
                statement.getMoreResults();
            }
            return use.of(statement);
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    private static @Nullable Object onTheWire(@Nullable Object parameter, Connection connection) throws SQLException {
        return switch (parameter) {
            case Instant time -> time.atOffset(ZoneOffset.UTC);
            case Collection<?> texts -> connection.createArrayOf("text", texts.toArray());
            case null, default -> parameter;
        };
    }

    /// Makes values of one type out of rows.
    ///
    /// @param columns their types; the only one is the value itself where there is no constructor
    private record Row<T>(Class<?>[] columns, @Nullable Constructor<T> constructor) {
        static <T> Row<T> of(Class<T> type) {
            if (!type.isRecord()) {
                return new Row<>(new Class<?>[] {type}, null);
            }
            var columns = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            try {
                var constructor = type.getDeclaredConstructor(columns);
                constructor.setAccessible(true);
                return new Row<>(columns, constructor);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("every record has this constructor", e);
            }
        }

        T read(ResultSet results) throws SQLException {
            var values = new @Nullable Object[columns.length];
            for (int i = 0; i < columns.length; i++) {
                values[i] = value(results, i + 1, columns[i]);
            }
            try {
                @SuppressWarnings({"unchecked", "NullAway"}) // a column that is read by itself is never null
                var made = constructor == null ? (T) values[0] : constructor.newInstance(values);
                return made;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("no row of the type that was asked for", e);
            }
        }

        private static @Nullable Object value(ResultSet results, int column, Class<?> type) throws SQLException {
            if (type == Instant.class) {
                var time = results.getObject(column, OffsetDateTime.class);
                return time == null ? null : time.toInstant();
            }
            return type == byte[].class
                    ? results.getBytes(column)
                    : results.getObject(
                            column, MethodType.methodType(type).wrap().returnType());
        }
    }
}
