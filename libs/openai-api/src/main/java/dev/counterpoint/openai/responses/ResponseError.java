package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Why a response failed; `code` is one of [ResponseErrorCode], or a newer one.
///
/// @param type as in the error of a request that is refused
/// @param param member of the request at fault
/// @param misalignment why a guard of the server stopped the model, as it came
public record ResponseError(
        String code,
        String message,
        @Nullable String type,
        @Nullable String param,
        @Nullable ObjectNode misalignment) {
    public ResponseError(String code, String message) {
        this(code, message, null, null, null);
    }

    public static ResponseError of(ResponseErrorCode code, String message) {
        return new ResponseError(code.wireName(), message);
    }

    /// The code, where the contract of this library has it.
    public Optional<ResponseErrorCode> known() {
        return Stream.of(ResponseErrorCode.values())
                .filter(known -> known.wireName().equals(code))
                .findFirst();
    }
}
