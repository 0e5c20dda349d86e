package dev.counterpoint.gateway.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a tenant's stored responses say: the conversation behind one, and single items. Thread-safe.
final class History {
    private static final String PARAM = "previous_response_id";
    private static final int RESPONSES_MAX = 1_000;

    private final StoredResponses responses;

    History(StoredResponses responses) {
        this.responses = responses;
    }

    /// What a request goes on with.
    ///
    /// @param conversation id of the first response; empty when nothing came before
    /// @param items input and output of each response, the first one first
    record Past(String conversation, List<InputItem> items) {}

    /// All that came before.
    ///
    /// @param id of the previous response, or null for none
    /// @throws WireException when the tenant has no such response, or one before it is gone, or it still runs
    Past before(@Nullable String id, String tenant) {
        var turns = new ArrayList<StoredResponses.Row>();
        for (var next = id; next != null; next = turns.getLast().previousResponseId()) {
            if (turns.size() == RESPONSES_MAX) {
                throw new WireException(
                        PARAM, "invalid_value", "The conversation is too long: at most 1000 responses.");
            }
            turns.add(find(next, tenant).orElseThrow(() -> missing(id == null ? "" : id)));
        }
        var items = new ArrayList<InputItem>();
        for (var row : turns.reversed()) {
            items.addAll(StoredTurn.read(row.inputItemsJson()).input().items());
            output(row).stream()
                    .map(InputItems::ofOutput)
                    .flatMap(Optional::stream)
                    .forEach(items::add);
        }
        return new Past(turns.isEmpty() ? "" : turns.getLast().id(), items);
    }

    /// An output item by its id.
    Optional<InputItem> item(String id, String tenant) {
        return TurnIds.parseItem(id)
                .flatMap(place -> responses.find(new TurnIds(place.response()).response(), tenant))
                .flatMap(row -> output(row).stream()
                        .filter(item -> id.equals(item.id()))
                        .findFirst())
                .flatMap(InputItems::ofOutput);
    }

    private Optional<StoredResponses.Row> find(String id, String tenant) {
        // Chat completions are in the same table and no responses.
        return TurnIds.parseResponse(id).flatMap(_ -> responses.find(id, tenant));
    }

    private static List<OutputItem> output(StoredResponses.Row row) {
        var json = row.responseJson();
        if (json == null) {
            throw new WireException(PARAM, null, "The previous response has not ended yet.");
        }
        var items = new ArrayList<OutputItem>();
        JsonNode response = WireJson.parse(json.getBytes(StandardCharsets.UTF_8));
        response.path("output").forEach(item -> items.add(WireJson.read(item, OutputItem.class)));
        return items;
    }

    private static WireException missing(String id) {
        return new WireException(
                PARAM, "previous_response_not_found", "Previous response with id '" + id + "' not found.");
    }
}
