package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.store.SealedContent;
import dev.counterpoint.openai.json.WireJson;
import jakarta.ws.rs.core.Response;
import java.util.List;

/// Answers with an item or a list of items: sealed reasoning is shown to those who include it.
public final class ShownItems {
    private ShownItems() {}

    /// @param included what the caller's `include` names
    public static Response answer(Object items, List<String> included) {
        return JsonAnswer.ok(
                included.contains(InputItems.ENCRYPTED) ? items : SealedContent.without(WireJson.tree(items)));
    }
}
