package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.openai.json.WireException;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The query of `GET /v1/responses/{id}`.
public class ReadParameters {
    private static final String STREAM = "stream";
    private static final String INCLUDE = "include";
    private static final String STARTING_AFTER = "starting_after";
    private static final String OBFUSCATION = "include_obfuscation";

    @QueryParam(STREAM)
    @Nullable
    String stream;

    @QueryParam(STARTING_AFTER)
    @Nullable
    String startingAfter;

    @QueryParam(OBFUSCATION)
    @Nullable
    String includeObfuscation;

    @QueryParam(INCLUDE)
    List<String> include = List.of();

    /// The same parameter as most clients spell a list.
    @QueryParam(INCLUDE + "[]")
    List<String> includeEach = List.of();

    /// True if the response is to be shown with that.
    ///
    /// @throws WireException for another word than those of [InputItems#INCLUDES]
    boolean includes(String word) {
        var all = Stream.concat(include.stream(), includeEach.stream()).toList();
        all.forEach(value -> RequestRules.oneOf(INCLUDE, value, InputItems.INCLUDES));
        return all.contains(word);
    }

    /// True if the response is wanted as events instead of as a whole.
    ///
    /// @throws WireException that names the parameter that is wrong
    boolean streams() {
        boolean streams = truth(STREAM, stream);
        var _ = obfuscated(); // without a stream it asks for nothing, and is still to be right
        if (!streams && startingAfter != null) {
            throw RequestRules.invalid(STARTING_AFTER, "it needs 'stream' to be true.");
        }
        return streams;
    }

    /// True if deltas are to be padded; null for as in the first stream.
    ///
    /// @throws WireException when the parameter is wrong
    @Nullable
    Boolean obfuscated() {
        return includeObfuscation == null ? null : Boolean.valueOf(truth(OBFUSCATION, includeObfuscation));
    }

    /// The number of the last event that the caller has, -1 for none.
    ///
    /// @throws WireException when it is none
    long startingAfter() {
        if (startingAfter == null) {
            return -1;
        }
        try {
            long number = Long.parseLong(startingAfter);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw RequestRules.invalid(STARTING_AFTER, "expected the sequence number of an event, 0 or more.");
    }

    private static boolean truth(String param, @Nullable String value) {
        return switch (value) {
            case null -> false;
            case "false" -> false;
            case "true" -> true;
            default -> throw RequestRules.invalid(param, "expected true or false.");
        };
    }
}
