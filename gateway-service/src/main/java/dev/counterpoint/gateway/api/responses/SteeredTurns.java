package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.Input;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps what was said while a stored response ran for the responses after it, whichever gateway serves them.
/// Thread-safe.
@ApplicationScoped
class SteeredTurns {
    private static final String CHANGE =
            "update response set input_items = ? where id = ? and tenant_id = ? and deleted_at is null";

    private final Sql sql;
    private final StoredResponses rows;

    SteeredTurns(Sql sql, StoredResponses rows) {
        this.sql = sql;
        this.rows = rows;
    }

    /// Writes what was said into the row of a response that has ended, as part of the transaction that writes the
    /// ending; null where nothing is to be written.
    @Nullable
    Runnable keeping(ResponseAssembler assembler, String tenant) {
        boolean answered =
                assembler.ending().filter(ending -> ending.answered()).isPresent();
        if (!answered || assembler.steers().isEmpty()) {
            return null;
        }
        var items = (Input.Items) WireJson.read(items(assembler.steers()), Input.class);
        return () -> change(assembler.response().id(), tenant, items);
    }

    /// The items of steers, in order.
    static ArrayNode items(List<ModelOutput.Steered> steers) {
        var items = JsonNodeFactory.instance.arrayNode();
        steers.forEach(steer -> items.addAll((ArrayNode) WireJson.parse(steer.input())));
        return items;
    }

    /// Forgets what was said while a response ran: its client has it back.
    void drop(String id, String tenant) {
        change(id, tenant, null);
    }

    private void change(String id, String tenant, Input.@Nullable Items queued) {
        rows.findOfTenant(id, tenant).ifPresent(row -> {
            var turn = StoredTurn.read(row.inputItemsJson());
            var json = new StoredTurn(turn.plan(), turn.input(), queued).write();
            sql.as(tenant).update(CHANGE, json, id, tenant);
        });
    }
}
