package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.openai.json.WireException;
import java.util.regex.Pattern;

/// The forms that an answer's text can be asked to have.
public final class AnswerFormats {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private AnswerFormats() {}

    /// Any JSON object.
    public static ResponseFormat jsonObject() {
        return new ResponseFormat("json_object", null, null, true);
    }

    /// @param param of the object that holds name and schema
    /// @throws WireException for a name that the API does not allow
    public static ResponseFormat schema(String param, ResponseFormat format) {
        if (!NAME.matcher(format.name()).matches()) {
            throw RequestRules.invalid(param + ".name", "a name has 1 to 64 letters, digits, '_' or '-'.");
        }
        return format;
    }

    public static WireException unknown(String param, String type) {
        return RequestRules.unsupportedValue(param, type, "There are 'text', 'json_object' and 'json_schema'.");
    }
}
