package dev.counterpoint.gateway.api.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.tenancy.Limits;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The body of a request to the admin API. An absent member changes nothing, null removes a limit, and an unknown
/// member is refused, because a misspelt limit would have no effect. Every refusal names the member.
final class AdminRequest {
    private static final String REQUESTS = "requests_per_minute";
    private static final String MINUTE = "tokens_per_minute";
    private static final String DAY = "tokens_per_day";
    private static final String STREAMS = "concurrent_streams";

    /// The names of the limits.
    static final Set<String> LIMITS = Set.of(REQUESTS, MINUTE, DAY, STREAMS);

    private final JsonNode body;

    private AdminRequest(JsonNode body) {
        this.body = body;
    }

    /// Reads a body that may hold limits and some other members.
    ///
    /// @throws WireException when the body is no object of known members
    static AdminRequest of(byte[] bytes, Set<String> others) {
        var body = WireJson.parse(bytes);
        if (!body.isObject()) {
            throw new WireException(null, "invalid_type", "Expected a JSON object.");
        }
        body.fieldNames().forEachRemaining(name -> {
            if (!LIMITS.contains(name) && !others.contains(name)) {
                throw new WireException(name, "unknown_parameter", "Unknown parameter: '" + shortened(name) + "'.");
            }
        });
        return new AdminRequest(body);
    }

    boolean has(String name) {
        return body.has(name);
    }

    /// A text of 1 to `lengthMax` characters.
    Optional<String> text(String name, int lengthMax) {
        return value(name).map(value -> {
            var text = value.isTextual() ? value.textValue().strip() : "";
            if (text.isEmpty() || text.length() > lengthMax) {
                throw invalid(name, "a string of 1 to " + lengthMax + " characters");
            }
            return text;
        });
    }

    /// @throws WireException also when the member is missing
    String requiredText(String name, int lengthMax) {
        return text(name, lengthMax)
                .orElseThrow(() -> new WireException(
                        name, "missing_required_parameter", "Missing required parameter: '" + name + "'."));
    }

    /// A whole number from 1 to `most`.
    @Nullable
    Long positive(String name, long most) {
        return value(name)
                .map(value -> {
                    if (!value.canConvertToExactIntegral()
                            || !value.canConvertToLong()
                            || value.longValue() < 1
                            || value.longValue() > most) {
                        throw invalid(name, "a whole number from 1 to " + most + ", or null");
                    }
                    return value.longValue();
                })
                .orElse(null);
    }

    /// True or false; null is the same as absent.
    Optional<Boolean> flag(String name) {
        return value(name).map(value -> {
            if (!value.isBoolean()) {
                throw invalid(name, "true or false");
            }
            return value.booleanValue();
        });
    }

    /// Seconds since 1970, in the future.
    @Nullable
    Instant future(String name) {
        var seconds = positive(name, Integer.MAX_VALUE * 4L);
        if (seconds == null) {
            return null;
        }
        var time = Instant.ofEpochSecond(seconds);
        if (time.isBefore(Instant.now())) {
            throw invalid(name, "a time in the future, in seconds since 1970");
        }
        return time;
    }

    /// A list of names; each must be one that `known` finds.
    <T> Optional<List<T>> names(String name, Function<String, Optional<T>> known, String expected) {
        return value(name).map(value -> {
            if (!value.isArray()) {
                throw invalid(name, expected);
            }
            var found = new ArrayList<T>();
            for (int i = 0; i < value.size(); i++) {
                var member = name + "[" + i + "]";
                var element = value.get(i);
                found.add(known.apply(element.isTextual() ? element.textValue() : "")
                        .orElseThrow(() -> invalid(member, expected)));
            }
            return found;
        });
    }

    /// An object with members of its own, named `outer.inner` in refusals.
    Optional<JsonNode> object(String name) {
        return value(name).map(value -> {
            if (!value.isObject()) {
                throw invalid(name, "an object, or null");
            }
            return value;
        });
    }

    /// The limits after the request: unnamed ones stay, null removes one.
    Consumer<Limits> limits() {
        var requests = positive(REQUESTS, Integer.MAX_VALUE);
        var minute = positive(MINUTE, Long.MAX_VALUE);
        var day = positive(DAY, Long.MAX_VALUE);
        var streams = positive(STREAMS, Integer.MAX_VALUE);
        return limits -> {
            limits.requestsPerMinute = has(REQUESTS) ? orNull(requests) : limits.requestsPerMinute;
            limits.tokensPerMinute = has(MINUTE) ? minute : limits.tokensPerMinute;
            limits.tokensPerDay = has(DAY) ? day : limits.tokensPerDay;
            limits.concurrentStreams = has(STREAMS) ? orNull(streams) : limits.concurrentStreams;
        };
    }

    private static @Nullable Integer orNull(@Nullable Long number) {
        return number == null ? null : Math.toIntExact(number);
    }

    static WireException invalid(String name, String expected) {
        return new WireException(name, "invalid_value", "Invalid value for '" + name + "': expected " + expected + ".");
    }

    private Optional<JsonNode> value(String name) {
        return Optional.ofNullable(body.get(name)).filter(value -> !value.isNull());
    }

    private static String shortened(String name) {
        return name.length() <= 64 ? name : name.substring(0, 64) + "…";
    }
}
