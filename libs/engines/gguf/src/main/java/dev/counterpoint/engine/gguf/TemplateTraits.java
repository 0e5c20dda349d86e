package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final LocalDateTime SOME_DAY = LocalDateTime.of(2026, 1, 1, 12, 0);
    /// Letters that no template has, and that no template changes.
    private static final String WORD = "qzxvkwqj";

    private static final String NAME = "qzxv_name";
    private static final String KEY = "qzxv_key";
    private static final String SYSTEM = "{'role':'system','content':'" + WORD + "'}";
    private static final String USER = "{'role':'user','content':'a'}";
    private static final String CALLED = "{'role':'assistant','content':'','tool_calls':[{'id':'000000000',"
            + "'type':'function','function':{'name':'" + NAME + "','arguments':{'" + KEY + "':'" + WORD + "'}}}]}";
    private static final String RESULT =
            "{'role':'tool','content':'" + WORD + "','tool_call_id':'000000000','name':'" + NAME + "'}";
    private static final String TOOL = "{'type':'function','function':{'name':'" + NAME + "','description':'a',"
            + "'parameters':{'type':'object','properties':{'" + KEY + "':{'type':'string'}},'required':['" + KEY
            + "']}}}";

    /// @param ends the spellings of tokens that end an output
    static TemplateTraits of(ChatTemplate template, Collection<String> ends) {
        boolean system = shows(template, list(SYSTEM, USER), null, WORD);
        boolean tools = shows(template, list(USER), list(TOOL), NAME);
        boolean results = shows(template, list(USER, CALLED, RESULT), list(TOOL), WORD);
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
        try {
            var prompt = render(template, list(USER), list(TOOL), true);
            var whole = render(template, list(USER, CALLED), list(TOOL), false);
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

    private static ArrayNode list(String... entries) {
        try {
            var list = "[" + String.join(",", entries).replace('\'', '"') + "]";
            return JSON.readValue(list, ArrayNode.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
