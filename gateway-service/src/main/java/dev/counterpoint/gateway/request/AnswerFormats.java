package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The forms that an answer's text can be asked to have.
public final class AnswerFormats {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final Pattern WORD = Pattern.compile("json", Pattern.CASE_INSENSITIVE);

    private AnswerFormats() {}

    /// A schema that a request asks the answer to have.
    ///
    /// @param schema null takes any JSON
    /// @param strict null stands for false
    public record Asked(
            String name,
            @Nullable String description,
            @Nullable ObjectNode schema,
            @Nullable Boolean strict) {}

    /// Any JSON object.
    public static ResponseFormat jsonObject() {
        return new ResponseFormat("json_object", null, null, true);
    }

    /// @param param of the object that holds the name
    /// @throws WireException for a name that the API does not allow, and for a schema that breaks a rule
    public static ResponseFormat schema(String param, Asked asked, SchemaRules.Place place) {
        if (!NAME.matcher(asked.name).matches()) {
            throw RequestRules.invalid(param + ".name", "a name has 1 to 64 letters, digits, '_' or '-'.");
        }
        var schema = asked.schema == null ? JsonNodeFactory.instance.objectNode() : asked.schema;
        boolean strict = Boolean.TRUE.equals(asked.strict);
        SchemaRules.answer(asked.name, schema, strict, place);
        return new ResponseFormat(asked.name, asked.description, schema.toString(), strict);
    }

    public static WireException unknown(String param, String type) {
        return RequestRules.unsupportedValue(param, type, "There are 'text', 'json_object' and 'json_schema'.");
    }

    /// True if something that is said tells the model to write JSON. OpenAI insists on that word where any JSON will
    /// do, because a model that is not told so may write blanks without end.
    public static boolean mentionsJson(List<PromptItem> said) {
        return said.stream().anyMatch(item -> switch (item) {
            case PromptItem.Instructions(String text) -> WORD.matcher(text).find();
            case PromptItem.User(String text) -> WORD.matcher(text).find();
            case PromptItem.Illustrated shown -> WORD.matcher(shown.text()).find();
            case PromptItem.Assistant(String text, var _) -> WORD.matcher(text).find();
            case PromptItem.CallOutput(var _, var _, String output) ->
                WORD.matcher(output).find();
            case PromptItem.Reasoning _, PromptItem.Sealed _, PromptItem.Call _, PromptItem.Retold _ -> false;
        });
    }
}
