package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.render.ReferenceCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One parse case played by the strict or lenient parser, token by token, up to its first error.
final class ReferencePlay {
    private final ReferenceView view;

    private ReferencePlay(ReferenceView view) {
        this.view = view;
    }

    static ReferencePlay of(JsonNode row, ReferenceCodec reference) {
        var view = new ReferenceView(reference, row.path("strict").asBoolean(), WireConversations.text(row, "role"));
        for (int token : ConformanceData.tokens(row.path("tokens"))) {
            if (!view.accept(token)) {
                return new ReferencePlay(view);
            }
        }
        if (row.path("process_eos").asBoolean()) {
            view.finish();
        }
        return new ReferencePlay(view);
    }

    boolean agrees(JsonNode row) {
        return errors(row).equals(view.errors)
                && messages(row).equals(view.messages())
                && deltas(row).equals(view.deltas)
                && (!row.path("state_trace").isArray() || states(row).equals(statesBeforeError()));
    }

    private static List<ReferenceView.Said> errors(JsonNode row) {
        var error = WireConversations.text(row, "error");
        return error == null
                ? List.of()
                : List.of(
                        new ReferenceView.Said(row.path("error_at_token_index").asInt(), error));
    }

    private static List<ParsedMessage> messages(JsonNode row) {
        var messages = new ArrayList<ParsedMessage>();
        for (JsonNode message : row.path("messages_before_error_or_end")) {
            messages.add(new ParsedMessage(
                    WireConversations.author(message),
                    WireConversations.text(message, "channel"),
                    WireConversations.text(message, "recipient"),
                    WireConversations.text(message, "content_type"),
                    message.path("content").asText()));
        }
        return messages;
    }

    private static List<ReferenceView.Said> deltas(JsonNode row) {
        var deltas = new ArrayList<ReferenceView.Said>();
        for (JsonNode delta : row.path("deltas")) {
            deltas.add(new ReferenceView.Said(delta.get(0).asInt(), delta.get(1).asText()));
        }
        return deltas;
    }

    private static List<List<@Nullable String>> states(JsonNode row) {
        var states = new ArrayList<List<@Nullable String>>();
        for (JsonNode state : row.path("state_trace")) {
            var members = new ArrayList<@Nullable String>();
            state.forEach(member -> members.add(member.isTextual() ? member.asText() : null));
            states.add(members);
        }
        return states;
    }

    private List<List<@Nullable String>> statesBeforeError() {
        int end = view.errors.isEmpty()
                ? view.states.size()
                : view.errors.getFirst().at();
        return view.states.subList(0, Math.min(end, view.states.size()));
    }
}
