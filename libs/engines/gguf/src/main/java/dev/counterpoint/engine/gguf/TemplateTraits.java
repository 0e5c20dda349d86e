package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.template.ChatTemplate;
import dev.counterpoint.engine.template.TemplateInput;
import dev.counterpoint.engine.template.TemplateRefusedException;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a template does with the parts of a conversation, found out by rendering short ones.
///
/// @param system whether it takes a system message
/// @param tools whether it tells the model of functions
/// @param results whether it takes the result of a call
/// @param call how the model writes a call; null where the template knows none that is a name and JSON
/// @param marks around the model's reasoning; null where the template names none
record TemplateTraits(
        boolean system,
        boolean tools,
        boolean results,
        @Nullable CallForm call,
        @Nullable MarkPair marks) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final LocalDateTime SOME_DAY = LocalDateTime.of(2026, 1, 1, 12, 0);
    /// Letters that no template has, and that no template changes.
    private static final String WORD = "qzxvkwqj";

    private static final String NAME = "qzxv_name";
    private static final String KEY = "qzxv_key";

    /// @param ends the spellings of tokens that end an output
    static TemplateTraits of(ChatTemplate template, Collection<String> ends) {
        boolean system =
                shows(template, NODES.arrayNode().add(said("system", WORD)).add(said("user", "a")), null, WORD);
        boolean tools = shows(
                template,
                NODES.arrayNode().add(said("user", "a")),
                NODES.arrayNode().add(tool()),
                NAME);
        boolean results = shows(
                template,
                NODES.arrayNode()
                        .add(said("user", "a"))
                        .add(called())
                        .add(said("tool", WORD).put("tool_call_id", "000000000").put("name", NAME)),
                NODES.arrayNode().add(tool()),
                WORD);
        return new TemplateTraits(system, tools, results, call(template, ends), marks(template.text()));
    }

    private static boolean shows(ChatTemplate template, ArrayNode messages, @Nullable ArrayNode tools, String word) {
        try {
            return render(template, messages, tools, true).contains(word);
        } catch (TemplateRefusedException _) {
            return false;
        }
    }

    private static String render(ChatTemplate template, ArrayNode messages, @Nullable ArrayNode tools, boolean prompt) {
        return template.render(new TemplateInput(messages, tools, Map.of(), prompt, SOME_DAY));
    }

    /// The text between the prompt and the end of the model's turn is how it writes a call.
    private static @Nullable CallForm call(ChatTemplate template, Collection<String> ends) {
        var tools = NODES.arrayNode().add(tool());
        try {
            var prompt = render(template, NODES.arrayNode().add(said("user", "a")), tools, true);
            var whole =
                    render(template, NODES.arrayNode().add(said("user", "a")).add(called()), tools, false);
            return whole.startsWith(prompt) ? CallForm.in(whole.substring(prompt.length()), NAME, KEY, ends) : null;
        } catch (TemplateRefusedException _) {
            return null;
        }
    }

    private static @Nullable MarkPair marks(String template) {
        return FamilyTable.shared().everyMarks().stream()
                .filter(pair -> !pair.isHeading() && template.contains(pair.open()) && template.contains(pair.close()))
                .findFirst()
                .orElse(null);
    }

    private static ObjectNode said(String role, String content) {
        return NODES.objectNode().put("role", role).put("content", content);
    }

    private static ObjectNode called() {
        var message = said("assistant", "");
        var call = message.putArray("tool_calls")
                .addObject()
                .put("id", "000000000")
                .put("type", "function");
        call.putObject("function").put("name", NAME).putObject("arguments").put(KEY, WORD);
        return message;
    }

    private static ObjectNode tool() {
        var tool = NODES.objectNode().put("type", "function");
        var parameters = tool.putObject("function")
                .put("name", NAME)
                .put("description", "a")
                .putObject("parameters")
                .put("type", "object");
        parameters.putObject("properties").putObject(KEY).put("type", "string");
        parameters.putArray("required").add(KEY);
        return tool;
    }
}
