package dev.counterpoint.audit.keys;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys in the table `tenant_key`. Thread-safe.
@ApplicationScoped
class WrappedTenantRows implements RootWrapped {
    private static final Logger LOG = LoggerFactory.getLogger(WrappedTenantRows.class);
    private static final String VERSIONS = """
        select encode(substring(wrapped from 1 for 5), 'hex'), count(*)
        from tenant_key, unnest(array[wrapped_key, wrapped_search_key]) wrapped group by 1\
        """;
    private static final String OTHERS = """
        select tenant, wrapped_key, wrapped_search_key from tenant_key where tenant > ?
            and (substring(wrapped_key from 1 for 5) <> ? or substring(wrapped_search_key from 1 for 5) <> ?)
        order by tenant limit ?\
        """;
    private static final String REPLACE = """
        update tenant_key set wrapped_key = anew.key, wrapped_search_key = anew.search
        from unnest(?, ?, ?) anew (tenant, key, search) where tenant_key.tenant = anew.tenant\
        """;

    private final Session database;
    private final EnvelopeKeys keys;
    private final KeyService root;

    WrappedTenantRows(Session database, EnvelopeKeys keys, KeyService root) {
        this.database = database;
        this.keys = keys;
        this.root = root;
    }

    private record Row(String tenant, EnvelopeKeys.WrappedTenantKeys keys) {}

    @Override
    public Map<String, Long> versions() {
        return database.doReturningWork(connection -> {
            var versions = new HashMap<String, Long>();
            try (var statement = connection.prepareStatement(VERSIONS);
                    var rows = statement.executeQuery()) {
                while (rows.next()) {
                    versions.put(rows.getString(1), rows.getLong(2));
                }
            }
            return versions;
        });
    }

    @Override
    public Optional<String> wrapAnew(String after, int atMost) {
        return database.doReturningWork(connection -> {
            var others = others(connection, after, atMost);
            replace(
                    connection,
                    others.stream().flatMap(row -> anew(row).stream()).toList());
            return others.isEmpty() ? Optional.empty() : Optional.of(others.getLast().tenant);
        });
    }

    private List<Row> others(Connection connection, String after, int atMost) throws SQLException {
        var current = root.describe().current().bytes();
        try (var statement = connection.prepareStatement(OTHERS)) {
            statement.setString(1, after);
            statement.setBytes(2, current);
            statement.setBytes(3, current);
            statement.setInt(4, atMost);
            var others = new ArrayList<Row>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    others.add(new Row(
                            rows.getString(1),
                            new EnvelopeKeys.WrappedTenantKeys(rows.getBytes(2), rows.getBytes(3), 0)));
                }
            }
            return others;
        }
    }

    /// Empty for a row that no root key here opens; it stays and blocks no other.
    private Optional<Row> anew(Row row) {
        try {
            var roots = root.describe();
            if (!roots.reads(row.keys.key()) || !roots.reads(row.keys.searchKey())) {
                throw new EncryptionException("a root key is missing");
            }
            return Optional.of(new Row(row.tenant, keys.wrappedAnew(row.tenant, row.keys)));
        } catch (EncryptionException e) {
            LOG.error("the keys of a tenant do not open tenant={}", row.tenant);
            return Optional.empty();
        }
    }

    private static void replace(Connection connection, List<Row> rows) throws SQLException {
        try (var statement = connection.prepareStatement(REPLACE)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text", rows.stream().map(Row::tenant).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "bytea", rows.stream().map(row -> row.keys.key()).toArray(byte[][]::new)));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "bytea",
                            rows.stream().map(row -> row.keys.searchKey()).toArray(byte[][]::new)));
            statement.executeUpdate();
        }
    }
}
