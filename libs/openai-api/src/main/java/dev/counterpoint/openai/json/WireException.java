package dev.counterpoint.openai.json;

import org.jspecify.annotations.Nullable;

/// A JSON body that breaks a rule of the API: what an HTTP 400 of type `invalid_request_error` says.
///
/// The message is for the caller: it names the member and the rule and never a Java or Jackson type.
public final class WireException extends RuntimeException {
    private final @Nullable String param;
    private final @Nullable String code;
    private final String rule;

    public WireException(@Nullable String param, @Nullable String code, String rule) {
        super(rule, null, false, false);
        this.param = param;
        this.code = code;
        this.rule = rule;
    }

    /// The member as the caller would write it, as in `input[0].content`; null when the body as a whole is wrong.
    public @Nullable String param() {
        return param;
    }

    /// OpenAI's name of the rule, as in `invalid_type`; null where OpenAI has none.
    public @Nullable String code() {
        return code;
    }

    /// The sentence for the caller.
    public String message() {
        return rule;
    }
}
