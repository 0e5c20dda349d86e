package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.reasoning.ResponsesReasoning;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ReasoningOptions;
import dev.counterpoint.openai.responses.Tool;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A request as it takes effect: items of its conversation add tools and set the effort and the form of the text, and
/// the model sees the reasoning of the current turn only. The response repeats it in this form.
///
/// @param asked the request as it came
/// @param request what takes effect, without the input, which is translated by itself
record EffectiveRequest(CreateResponse asked, CreateResponse request) {
    private static final String CURRENT_TURN_ONLY =
            "reasoning_context: the model sees the reasoning of the current turn only, so 'all_turns' has the effect of"
                    + " 'current_turn'.";

    /// @param said the conversation; of two items that set the same, the later one counts
    static EffectiveRequest of(CreateResponse asked, ConversationInput said) {
        var settings =
                said.conversation().stream().filter(InputItems::isSetting).toList();
        if (settings.isEmpty() && !wantsAllTurns(asked)) {
            return new EffectiveRequest(asked, asked);
        }
        ObjectNode tree = (ObjectNode) WireJson.tree(asked);
        tree.remove("input");
        if (asked.reasoning() != null) {
            tree.set("reasoning", WireJson.tree(asked.reasoning().options()));
        }
        if (wantsAllTurns(asked)) {
            tree.withObject("/reasoning").put("context", ResponsesReasoning.CURRENT_TURN);
        }
        var tools = Objects.requireNonNullElse(asked.tools(), List.<Tool>of());
        for (var item : settings) {
            if (item instanceof InputItem.AdditionalTools more) {
                tools = ResponsesTools.with(tools, more.tools());
            } else if (item instanceof InputItem.ConfigurationUpdate update) {
                configure(tree, update);
            }
        }
        if (!tools.isEmpty()) {
            var array = tree.putArray("tools");
            tools.forEach(tool -> array.add(WireJson.tree(tool)));
        }
        return new EffectiveRequest(asked, WireJson.read(tree, CreateResponse.class));
    }

    /// What the response warns of where the request asks for what this model cannot do.
    Optional<String> warning() {
        return wantsAllTurns(asked) ? Optional.of(CURRENT_TURN_ONLY) : Optional.empty();
    }

    private static boolean wantsAllTurns(CreateResponse asked) {
        return asked.reasoning() instanceof ReasoningOptions options
                && ResponsesReasoning.ALL_TURNS.equals(options.context());
    }

    private static void configure(ObjectNode request, InputItem.ConfigurationUpdate update) {
        if (update.reasoning() != null && update.reasoning().effort() != null) {
            request.withObject("/reasoning").put("effort", update.reasoning().effort());
        }
        if (update.text() != null) {
            request.remove("response_schema");
            request.withObject("/text")
                    .set("format", WireJson.tree(update.text().format()));
        }
    }
}
