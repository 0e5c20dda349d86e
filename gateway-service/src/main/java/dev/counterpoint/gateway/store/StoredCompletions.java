package dev.counterpoint.gateway.store;

import dev.counterpoint.openai.json.WireJson;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The chat completions among [StoredResponses], as far as they are complete. A project sees its own only. Thread-safe;
/// every method is one short transaction, or part of the caller's.
@ApplicationScoped
public class StoredCompletions {
    private static final String THERE = """
            id like 'chatcmpl-%' and status = 'completed' and deleted_at is null and expires_at > now()
            """;

    private static final String OWN =
            "select id, input_items, response from response where tenant_id = ? and project = ? and " + THERE;

    private static final String OF_TENANT = "select id from response where id = ? and tenant_id = ? and " + THERE;

    private static final String UPDATE =
            "update response set response = ? where id = ? and tenant_id = ? and project = ? and " + THERE;

    private final Sql sql;

    StoredCompletions(Sql sql) {
        this.sql = sql;
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

    /// A selection of completions.
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

    public Optional<Completion> find(String id, Owner owner) {
        return sql.as(owner.tenant()).first(Completion.class, OWN + "and id = ?", owner.tenant(), owner.project(), id);
    }

    /// A part of the project's completions, by the time of their acceptance.
    public List<Completion> part(Owner owner, Filter filter, Part part) {
        var query = new StringBuilder(OWN);
        var parameters = new ArrayList<Object>(List.of(owner.tenant(), owner.project()));
        if (filter.model != null) {
            query.append(" and model = ?");
            parameters.add(filter.model);
        }
        for (var pair : pairs(filter.metadata)) {
            query.append(" and exists (select from completion_metadata where completion_id = id and pair = ?)");
            parameters.add(pair);
        }
        if (part.after != null) {
            query.append(part.descending ? " and (created_at, id) < " : " and (created_at, id) > ")
                    .append("(select created_at, id from response where id = ?)");
            parameters.add(part.after);
        }
        query.append(part.descending ? " order by created_at desc, id desc" : " order by created_at, id")
                .append(" limit ?");
        parameters.add(part.most);
        return sql.as(owner.tenant()).list(Completion.class, query.toString(), parameters.toArray());
    }

    /// Makes a completion findable by its metadata. No effect on one that is deleted or not complete.
    @Transactional
    public void index(String id, String tenant, Map<String, String> metadata) {
        if (sql.as(tenant).first(String.class, OF_TENANT, id, tenant).isPresent()) {
            sql.as(tenant).update("delete from completion_metadata where completion_id = ?", id);
            for (var pair : pairs(metadata)) {
                sql.as(tenant).update("insert into completion_metadata (completion_id, pair) values (?, ?)", id, pair);
            }
        }
    }

    /// Writes a completion anew.
    ///
    /// @param metadata by which it is to be found
    /// @return false when the project has no such completion
    @Transactional
    public boolean update(Completion completion, Owner owner, Map<String, String> metadata) {
        int updated = sql.as(owner.tenant())
                .update(UPDATE, completion.completionJson, completion.id, owner.tenant(), owner.project());
        if (updated == 1) {
            index(completion.id, owner.tenant(), metadata);
        }
        return updated == 1;
    }

    /// Pairs as JSON, because a text in PostgreSQL cannot hold every character.
    private static List<String> pairs(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .map(pair -> WireJson.write(pair.getKey()) + ":" + WireJson.write(pair.getValue()))
                .toList();
    }
}
