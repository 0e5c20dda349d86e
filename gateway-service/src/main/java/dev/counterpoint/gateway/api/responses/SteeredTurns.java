package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Carries what was said while a stored response ran to the response after it, once, whichever gateway serves that one.
/// Thread-safe.
@ApplicationScoped
class SteeredTurns {
    private static final String CHANGE = """
            update response set input_items = ?
            where id = ? and tenant_id = ? and deleted_at is null and (cast(input_items as json) -> 'queued' is null) = ?""";

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
        var id = assembler.response().id();
        var items = WireJson.read(items(assembler.steers()), Input.class);
        return () -> rows.findOfTenant(id, tenant).ifPresent(row -> queue(row, (Input.Items) items));
    }

    /// The items of steers, in order.
    static ArrayNode items(List<ModelOutput.Steered> steers) {
        var items = JsonNodeFactory.instance.arrayNode();
        steers.forEach(steer -> items.addAll((ArrayNode) WireJson.parse(steer.input())));
        return items;
    }

    /// Takes the input that a request found at the previous response.
    ///
    /// @throws ProblemException 409 when another response has taken it
    void take(CheckedResponse order) {
        var row = order.queueing();
        if (row != null && !queue(row, null)) {
            throw new ProblemException(Problem.conflict(
                    "previous_response_id", "Another response continues from there with the queued input; try again."));
        }
    }

    /// Forgets the input that waits at a response: its client has it back.
    void drop(String id, String tenant) {
        rows.findOfTenant(id, tenant).ifPresent(row -> queue(row, null));
    }

    /// The request did not start.
    void giveBack(CheckedResponse order) {
        var row = order.queueing();
        if (row != null) {
            queue(row, StoredTurn.read(row.inputItemsJson()).queued());
        }
    }

    /// Writes the input that waits at a response, where none does, or takes it away; one of several at once succeeds.
    private boolean queue(StoredResponses.Row row, Input.@Nullable Items later) {
        var tenant = row.owner().tenant();
        var json = StoredTurn.read(row.inputItemsJson()).queueing(later).write();
        return sql.as(tenant).update(CHANGE, json, row.id(), tenant, later != null) == 1;
    }
}
