package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.FunctionCall;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.OutputContent;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.StoredContent;
import dev.counterpoint.openai.responses.StoredItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Items of conversations in the form in which they are kept and shown: each with an id of ours, and none with raw
/// reasoning.
public final class StoredItemMapper {
    private static final String SEALED = "encrypted_content";
    /// The beginnings of items' ids, by type.
    private static final Map<String, String> ID_PREFIXES = Map.of(
            "message", "msg",
            "reasoning", "rs",
            "function_call", "fc",
            "function_call_output", "fco",
            "custom_tool_call", "ctc",
            "custom_tool_call_output", "ctco",
            "compaction", "cmp");

    private StoredItemMapper() {}

    /// The beginning of an item's id, as in `msg`.
    public static String idPrefix(InputItem item) {
        return ID_PREFIXES.getOrDefault(item.type(), "item");
    }

    /// An item by its id.
    record Named(String id, StoredItem item) {}

    /// The input of a response.
    static List<Named> toStored(ResponseId response, List<InputItem> items) {
        var ids = new TurnIds(response);
        var named = new ArrayList<Named>();
        for (int i = 0; i < items.size(); i++) {
            var id = ids.input(idPrefix(items.get(i)), i);
            named.add(new Named(id, toStored(items.get(i), id)));
        }
        return named;
    }

    /// A caller's item; an id that it has is not kept.
    public static StoredItem toStored(InputItem item, String id) {
        return switch (InputItems.forStore(item)) {
            case InputItem.Message message ->
                new StoredItem.Message(
                        id,
                        orCompleted(message.status()),
                        message.role().wireName(),
                        content(message),
                        message.phase());
            case InputItem.Reasoning thought ->
                new StoredItem.Item(new OutputItem.Reasoning(
                        id, thought.summary(), null, thought.encryptedContent(), thought.status()));
            case FunctionCall call ->
                new StoredItem.Item(new FunctionCall(
                        id,
                        call.callId(),
                        call.name(),
                        call.arguments(),
                        orCompleted(call.status()),
                        call.namespace(),
                        null,
                        call.async(),
                        Others.NONE));
            case InputItem.FunctionCallOutput output ->
                new StoredItem.FunctionCallOutput(
                        id,
                        output.callId(),
                        output.output(),
                        output.name(),
                        output.namespace(),
                        null,
                        orCompleted(output.status()),
                        null,
                        Others.NONE);
            case InputItem.Hosted other -> asItCame(other, id);
            case InputItem.ItemReference other -> asItCame(other, id);
            case InputItem.Unknown other -> asItCame(other, id);
        };
    }

    /// A model's item.
    static StoredItem toStored(OutputItem item) {
        return WireJson.read(WireJson.tree(InputItems.forStore(item, true)), StoredItem.class);
    }

    /// An item to be kept; sealed reasoning goes apart.
    public static StoredConversations.NewItem toRow(StoredItem item, String id) {
        var tree = tree(item);
        var sealed = isReasoning(tree) ? tree.remove(SEALED) : null;
        return new StoredConversations.NewItem(id, tree.toString(), sealed == null ? null : sealed.asText());
    }

    /// A kept item as it is shown.
    public static StoredItem fromRow(StoredConversations.Item item) {
        return WireJson.read(whole(item), StoredItem.class);
    }

    /// A kept item as the input of a request.
    public static InputItem toInput(StoredConversations.Item item) {
        return WireJson.read(whole(item), InputItem.class);
    }

    /// An item as JSON.
    static ObjectNode tree(StoredItem item) {
        return (ObjectNode)
                switch (item) {
                    case StoredItem.Item(OutputItem output) -> WireJson.tree(output);
                    case StoredItem.Message _, StoredItem.FunctionCallOutput _, StoredItem.CustomToolCallOutput _ ->
                        WireJson.tree(item);
                };
    }

    private static ObjectNode whole(StoredConversations.Item item) {
        var tree = (ObjectNode) WireJson.parse(item.json().getBytes(StandardCharsets.UTF_8));
        return item.sealed() == null ? tree : tree.put(SEALED, item.sealed());
    }

    private static boolean isReasoning(ObjectNode item) {
        return item.path("type").asText().equals("reasoning");
    }

    private static ItemStatus orCompleted(@Nullable ItemStatus status) {
        return Objects.requireNonNullElse(status, ItemStatus.COMPLETED);
    }

    private static StoredItem asItCame(InputItem item, String id) {
        var tree = (ObjectNode) WireJson.tree(item);
        tree.put("id", id);
        if (!tree.hasNonNull("status")) {
            tree.put("status", ItemStatus.COMPLETED.wireName());
        }
        return WireJson.read(tree, StoredItem.class);
    }

    private static List<StoredContent> content(InputItem.Message message) {
        return switch (message.content()) {
            case MessageContent.Text(String text) ->
                List.of(
                        message.role() == MessageRole.ASSISTANT
                                ? new StoredContent.Output(OutputContent.OutputText.of(text))
                                : new StoredContent.Input(new InputContent.InputText(text, null, Others.NONE)));
            case MessageContent.Parts(List<InputContent> parts) ->
                parts.stream().map(StoredItemMapper::part).toList();
        };
    }

    private static StoredContent part(InputContent part) {
        return switch (part) {
            case InputContent.OutputText(var text, var annotations, var logprobs, var _) ->
                new StoredContent.Output(new OutputContent.OutputText(
                        text,
                        Objects.requireNonNullElse(annotations, List.of()),
                        Objects.requireNonNullElse(logprobs, List.of())));
            case InputContent.Refusal(String refusal, var _) ->
                new StoredContent.Output(new OutputContent.Refusal(refusal, Others.NONE));
            case InputContent.InputText(String text, var _, var _) ->
                new StoredContent.Input(new InputContent.InputText(text, null, Others.NONE));
            case InputContent.Media _, InputContent.Unknown _ -> new StoredContent.Input(part);
        };
    }
}
