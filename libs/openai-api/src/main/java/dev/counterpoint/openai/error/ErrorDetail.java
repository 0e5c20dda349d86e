package dev.counterpoint.openai.error;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// What went wrong: all four members are always written, because clients read them unasked.
///
/// @param message for people; holds no prompt, no reasoning, no key
/// @param type the kind, as in `invalid_request_error`, `rate_limit_error`, `server_error`
/// @param param the request member at fault, as in `input[0].content`
/// @param code the exact rule, as in `invalid_encrypted_content`
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ErrorDetail(
        String message,
        String type,
        @Nullable String param,
        @Nullable String code) {}
