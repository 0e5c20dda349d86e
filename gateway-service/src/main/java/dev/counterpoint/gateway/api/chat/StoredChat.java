package dev.counterpoint.gateway.api.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import java.util.List;

/// Chat completions as rows keep them, without reasoning.
final class StoredChat {
    private static final List<String> REASONING_MEMBERS =
            List.of("reasoning", "reasoning_content", "reasoning_summary", "reasoning_details");

    private static final String NOTHING = "{}";

    private StoredChat() {}

    /// The messages of a request.
    static String messages(ChatRequest request) {
        var messages = WireJson.tree(request).path("messages");
        messages.forEach(StoredChat::withoutReasoning);
        return messages.toString();
    }

    static TurnRows.Last last(ResponseId id, String tenant, ChatAssembler assembler, TurnEnding ending) {
        var completion = new TurnIds(id).completion();
        return switch (ending) {
            case TurnEnding.Complete _, TurnEnding.Truncated _ ->
                new TurnRows.Last(completion, tenant, "completed", () -> write(assembler));
            case TurnEnding.Refused _, TurnEnding.Failed _ -> failed(completion, tenant);
            case TurnEnding.Cancelled _ -> new TurnRows.Last(completion, tenant, "cancelled", () -> NOTHING);
        };
    }

    private static String write(ChatAssembler assembler) {
        var json = WireJson.tree(assembler.completion());
        json.path("choices").forEach(choice -> withoutReasoning(choice.path("message")));
        return json.toString();
    }

    static TurnRows.Last failed(String completion, String tenant) {
        return new TurnRows.Last(completion, tenant, "failed", () -> NOTHING);
    }

    /// Raw reasoning is never kept in clear.
    private static void withoutReasoning(JsonNode message) {
        if (message instanceof ObjectNode members) {
            members.remove(REASONING_MEMBERS);
        }
    }
}
