package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.PromptCacheWish;
import dev.counterpoint.openai.ResponseSchema;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rules that members of requests have in common, and the words in which a broken one is refused.
public final class RequestRules {
    private static final int METADATA_PAIRS_MAX = 16;
    private static final int METADATA_KEY_CHARACTERS_MAX = 64;
    private static final int METADATA_VALUE_CHARACTERS_MAX = 512;
    private static final int SAFETY_IDENTIFIER_CHARACTERS_MAX = 64;
    private static final int USER_CHARACTERS_MAX = 256;
    private static final int ECHO_CHARACTERS_MAX = 64;

    private RequestRules() {}

    public static WireException missing(String param) {
        return new WireException(param, "missing_required_parameter", "Missing required parameter: '" + param + "'.");
    }

    /// Refuses a member that the API has and that is not served here.
    public static WireException unsupported(String param, String why) {
        return new WireException(param, "unsupported_parameter", "Unsupported parameter: '" + param + "'. " + why);
    }

    public static WireException unsupportedValue(String param, String value, String why) {
        return new WireException(
                param,
                "unsupported_value",
                "Unsupported value: '" + param + "' does not support '" + shortened(value) + "' here. " + why);
    }

    public static WireException invalid(String param, String why) {
        return new WireException(param, "invalid_value", "Invalid value for '" + param + "': " + why);
    }

    /// @param given whether the member is there, or something that stands for it
    public static void present(String param, boolean given) {
        if (!given) {
            throw missing(param);
        }
    }

    /// @param holds whether the member is as it must be
    public static void require(boolean holds, String param, String why) {
        if (!holds) {
            throw invalid(param, why);
        }
    }

    /// @param value null passes
    public static void integer(String param, @Nullable Integer value, int min, int max) {
        if (value != null && value < min) {
            throw new WireException(
                    param,
                    "integer_below_min_value",
                    "Invalid '%s': expected a value >= %d, but got %d instead.".formatted(param, min, value));
        }
        if (value != null && value > max) {
            throw new WireException(
                    param,
                    "integer_above_max_value",
                    "Invalid '%s': expected a value <= %d, but got %d instead.".formatted(param, max, value));
        }
    }

    /// @param value null passes; what is no number does not
    public static void decimal(String param, @Nullable Double value, double min, double max) {
        if (value != null && !(value >= min)) {
            throw new WireException(
                    param,
                    "decimal_below_min_value",
                    "Invalid '%s': expected a value >= %s, but got %s instead.".formatted(param, min, value));
        }
        if (value != null && !(value <= max)) {
            throw new WireException(
                    param,
                    "decimal_above_max_value",
                    "Invalid '%s': expected a value <= %s, but got %s instead.".formatted(param, max, value));
        }
    }

    /// @param value null passes
    public static void oneOf(String param, @Nullable String value, List<String> supported) {
        if (value != null && !supported.contains(value)) {
            throw notOneOf(param, value, supported);
        }
    }

    /// Refuses a word that is none of those.
    public static WireException notOneOf(String param, String value, List<String> supported) {
        var names = supported.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        return invalid(param, "'" + shortened(value) + "'. Supported values are: " + names + ".");
    }

    /// @param metadata null passes
    public static void metadata(@Nullable Map<String, String> metadata) {
        if (metadata == null) {
            return;
        }
        if (metadata.size() > METADATA_PAIRS_MAX) {
            throw invalid("metadata", "at most " + METADATA_PAIRS_MAX + " pairs are kept.");
        }
        metadata.forEach((key, value) -> {
            if (key.length() > METADATA_KEY_CHARACTERS_MAX) {
                throw invalid("metadata", "a key has at most " + METADATA_KEY_CHARACTERS_MAX + " characters.");
            }
            if (value.length() > METADATA_VALUE_CHARACTERS_MAX) {
                throw invalid(
                        "metadata." + key, "a value has at most " + METADATA_VALUE_CHARACTERS_MAX + " characters.");
            }
        });
    }

    /// Checks the names of the end user, by which the audit finds and erases a person.
    ///
    /// @param safetyIdentifier null passes
    /// @param user null passes
    public static void endUser(@Nullable String safetyIdentifier, @Nullable String user) {
        person("safety_identifier", safetyIdentifier, SAFETY_IDENTIFIER_CHARACTERS_MAX);
        person("user", user, USER_CHARACTERS_MAX);
    }

    private static void person(String param, @Nullable String name, int charactersMax) {
        if (name == null) {
            return;
        }
        if (name.length() > charactersMax) {
            throw new WireException(
                    param,
                    "string_above_max_length",
                    "Invalid '%s': string too long. Expected a string with maximum length %d, but got"
                                    .formatted(param, charactersMax)
                            + " a string with length %d instead.".formatted(name.length()));
        }
        require(name.codePoints().noneMatch(Character::isISOControl), param, "it has a control character.");
    }

    /// The answer's form has one name at most.
    ///
    /// @param other what the API itself calls it
    /// @param otherFormat what the request says under that name
    public static void responseSchema(@Nullable ResponseSchema schema, String other, @Nullable Object otherFormat) {
        if (schema != null) {
            oneOf("response_schema.type", schema.type(), List.of("json"));
            require(otherFormat == null, "response_schema", "it says the same as '" + other + "'; send one of them.");
        }
    }

    /// Checks only the words: the engine decides how long a prompt's work is kept for others.
    ///
    /// @param asked null passes
    public static void cacheRetention(@Nullable String asked) {
        oneOf("prompt_cache_retention", asked, List.of("in_memory", "in-memory", "24h"));
    }

    /// As [#cacheRetention], of what a request says of its prompt's cache. A prompt is cached only by generating
    /// from it.
    ///
    /// @param asked null passes
    public static void cacheOptions(@Nullable PromptCacheWish asked) {
        if (asked != null) {
            oneOf("prompt_cache_options.mode", asked.mode(), List.of("implicit", "explicit"));
            oneOf("prompt_cache_options.ttl", asked.ttl(), List.of("30m", "12h"));
            if (Boolean.TRUE.equals(asked.prewarm())) {
                throw unsupported("prompt_cache_options.prewarm", "It is not served here.");
            }
        }
    }

    /// Refuses members that would change what the caller gets, were they honoured. Others that we do not know pass.
    ///
    /// @param reasons why each of them is refused
    public static void refuseMembers(Map<String, JsonNode> others, Map<String, String> reasons) {
        others.forEach((member, value) -> {
            var reason = reasons.get(member);
            if (reason != null && !value.isNull()) {
                throw unsupported(member, reason);
            }
        });
    }

    /// Refuses a member that is there, for the same reason.
    ///
    /// @param value null passes
    public static void refuse(String param, @Nullable Object value, String why) {
        if (value != null) {
            throw unsupported(param, why);
        }
    }

    private static String shortened(String text) {
        return text.length() <= ECHO_CHARACTERS_MAX ? text : text.substring(0, ECHO_CHARACTERS_MAX) + "…";
    }
}
