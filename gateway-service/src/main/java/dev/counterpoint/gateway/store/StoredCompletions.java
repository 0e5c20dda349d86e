package dev.counterpoint.gateway.store;

import dev.counterpoint.openai.json.WireJson;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.StatelessSession;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/// The chat completions among [StoredResponses], as far as they are complete. A tenant sees its own only. Thread-safe;
/// every method is one short transaction, or part of the caller's.
@ApplicationScoped
public class StoredCompletions {
    private static final String OWN = """
            from response where tenant_id = :tenant and id like 'chatcmpl-%' and status = 'completed'
                and deleted_at is null and expires_at > now()
            """;

    private final StatelessSession database;

    @Inject
    StoredCompletions(StatelessSession database) {
        this.database = database;
    }

    /// @param messagesJson the messages of the request, as a list
    /// @param completionJson the completion
    public record Completion(String id, String messagesJson, String completionJson) {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Completion[id=" + id + "]";
        }
    }

    /// Which completions are meant.
    ///
    /// @param model that they are of; null for any
    /// @param metadata that they all have
    public record Filter(@Nullable String model, Map<String, String> metadata) {}

    /// A part of the list.
    ///
    /// @param after id of the completion that the part begins behind, in its order; null for the beginning
    /// @param descending whether the newest come first
    /// @param most how many
    public record Part(@Nullable String after, boolean descending, int most) {}

    @Transactional
    public Optional<Completion> find(String id, String tenant) {
        return query(OWN + "and id = :id")
                .setParameter("tenant", tenant)
                .setParameter("id", id)
                .uniqueResultOptional();
    }

    /// A part of the tenant's completions, by the time of their acceptance.
    @Transactional
    public List<Completion> part(String tenant, Filter filter, Part part) {
        var sql = new StringBuilder(OWN);
        var pairs = pairs(filter.metadata);
        if (filter.model != null) {
            sql.append(" and model = :model");
        }
        for (int i = 0; i < pairs.size(); i++) {
            sql.append(" and exists (select from completion_metadata where completion_id = id and pair = :pair")
                    .append(i)
                    .append(')');
        }
        if (part.after != null) {
            sql.append(" and (created_at, id) ")
                    .append(part.descending ? "<" : ">")
                    .append(" (select created_at, id from response where id = :after)");
        }
        var order = part.descending ? "desc" : "asc";
        var query =
                query(sql + " order by created_at " + order + ", id " + order).setParameter("tenant", tenant);
        if (filter.model != null) {
            query.setParameter("model", filter.model);
        }
        for (int i = 0; i < pairs.size(); i++) {
            query.setParameter("pair" + i, pairs.get(i));
        }
        if (part.after != null) {
            query.setParameter("after", part.after);
        }
        return query.setMaxResults(part.most).getResultList();
    }

    /// Makes a completion findable by its metadata. No effect on one that is deleted or not complete.
    @Transactional
    public void index(String id, String tenant, Map<String, String> metadata) {
        if (find(id, tenant).isEmpty()) {
            return;
        }
        database.createNativeMutationQuery("delete from completion_metadata where completion_id = :id")
                .setParameter("id", id)
                .executeUpdate();
        for (var pair : pairs(metadata)) {
            database.createNativeMutationQuery(
                            "insert into completion_metadata (completion_id, pair) values (:id, :pair)")
                    .setParameter("id", id)
                    .setParameter("pair", pair)
                    .executeUpdate();
        }
    }

    /// Writes a completion anew.
    ///
    /// @param metadata by which it is to be found
    /// @return false when the tenant has no such completion
    @Transactional
    public boolean update(Completion completion, String tenant, Map<String, String> metadata) {
        int updated = database.createNativeMutationQuery("""
                        update response set response = :completion
                        where id = :id and tenant_id = :tenant and status = 'completed' and deleted_at is null
                            and expires_at > now()""")
                .setParameter("completion", completion.completionJson)
                .setParameter("id", completion.id)
                .setParameter("tenant", tenant)
                .executeUpdate();
        index(completion.id, tenant, metadata);
        return updated == 1;
    }

    /// As JSON, because a text in PostgreSQL cannot hold every character.
    private static List<String> pairs(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .map(pair -> WireJson.write(pair.getKey()) + ":" + WireJson.write(pair.getValue()))
                .toList();
    }

    private NativeQuery<Completion> query(String from) {
        return database.createNativeQuery("select id, input_items, response " + from, Object[].class)
                .setTupleTransformer(
                        (columns, _) -> new Completion((String) columns[0], (String) columns[1], (String) columns[2]));
    }
}
