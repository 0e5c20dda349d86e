package dev.counterpoint.openai.responses;

import java.util.Optional;
import java.util.stream.Stream;

/// Why a response failed; `code` is one of [ResponseErrorCode], or a newer one.
public record ResponseError(String code, String message) {
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
