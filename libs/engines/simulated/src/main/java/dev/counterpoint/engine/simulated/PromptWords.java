package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The little that the skills know about English words, numbers and JSON.
final class PromptWords {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]{1,64}+(?:['’_-][\\p{L}\\p{N}]{1,64}+){0,8}+");
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^\\p{L}\\p{N}]+");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,30}(?:\\.\\d{1,9})?");
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    /// Letters of a word, on average, that is still quoted.
    private static final int LETTERS_MAX = 24;

    private static final int IDENTIFIER_MAX = 200;

    private static final Set<String> STOP_WORDS = Set.copyOf(words("""
        a about again all also am an and any are as ask at be been but by can could did do does for from get give
        had has have he hello her here hey hi him his how i i'd i'm if in into is it it's its just know let let's
        like many may me might more most much must my need no not now of off on one only or other our out over own
        please same she should show so some such tell than thank thanks that that's the their them then there these
        they this those through to too under until up us use very want was we were what what's when where which who
        whose why will with would yes you your\
        """));

    /// Groups of words that are about the same thing.
    private static final List<Set<String>> RELATED =
            """
            weather temperature forecast rain raining sunny hot cold snow warm umbrella wind climate
            health status running alive live uptime snapshot up
            html convert render markdown browser
            chart plot graph visualize draw diagram
            database table query row record select fetch retrieve entry sql column
            email mail send message
            add plus sum total calculate calculator compute math multiply times divide expression
            schedule meeting calendar event appointment remind reminder book booking
            time clock hour timezone
            translate translation language\
            """.lines().map(PromptWords::stems).toList();

    private static final List<String> SMALL_NUMBERS =
            words("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
                    + " sixteen seventeen eighteen nineteen");
    private static final List<String> TENS = words("twenty thirty forty fifty sixty seventy eighty ninety");

    private PromptWords() {}

    private static List<String> words(String text) {
        return Arrays.asList(text.split("\\s+", -1));
    }

    static Set<String> stems(String text) {
        var stems = new HashSet<String>();
        all(text).forEach(word -> stems.add(stem(word)));
        return stems;
    }

    /// Every word and number, as written.
    static List<String> all(String text) {
        return found(WORD, text);
    }

    static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).toList();
    }

    /// The words that carry the meaning, each once, as written.
    static List<String> content(String text) {
        var seen = new LinkedHashSet<String>();
        return all(text).stream()
                .filter(word -> !isStopWord(word) && seen.add(lower(word)))
                .toList();
    }

    static boolean isStopWord(String word) {
        return STOP_WORDS.contains(lower(word).replace('’', '\''));
    }

    /// A crude stem: enough that `sorts`, `sorted` and `sorting`, or `colour` and `color`, meet.
    static String stem(String word) {
        var stem = lower(word).replace("'s", "").replace("’s", "").replace("our", "or");
        for (var ending : List.of("ing", "ies", "ed", "es", "s")) {
            if (stem.length() > ending.length() + 2 && stem.endsWith(ending)) {
                stem = stem.substring(0, stem.length() - ending.length()) + (ending.equals("ies") ? "y" : "");
                break;
            }
        }
        return stem.length() > 3 && stem.endsWith("e") ? stem.substring(0, stem.length() - 1) : stem;
    }

    /// Whether two words are about the same thing.
    static boolean related(String one, String other) {
        return RELATED.stream().anyMatch(group -> group.contains(stem(one)) && group.contains(stem(other)));
    }

    /// The words of an identifier: `get_currentWeather` is `get current weather`.
    static String ofIdentifier(String identifier) {
        return lower(HUMP.matcher(PromptContent.clip(identifier, IDENTIFIER_MAX))
                        .replaceAll(" "))
                .strip();
    }

    /// `a`, `a and b`, `a, b and c`.
    static String join(List<String> words) {
        int last = Math.max(0, words.size() - 1);
        return String.join(
                " and ", last == 0 ? words : List.of(String.join(", ", words.subList(0, last)), words.get(last)));
    }

    /// The first words of a text, at most so many; an ellipsis says that there was more.
    static String begin(String text, int most) {
        if (text.length() > most * LETTERS_MAX) {
            return begin(text.substring(0, most * LETTERS_MAX - 1), most) + "…";
        }
        var words = words(text.strip());
        return String.join(" ", words.subList(0, Math.min(most, words.size()))) + (words.size() <= most ? "" : " …");
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// The value of `17`, `1,200`, `3.5`, `seventeen` or `twenty-five`; null for anything else.
    static @Nullable BigDecimal number(String word) {
        var lower = lower(word).replace(",", "");
        if (NUMBER.matcher(lower).matches()) {
            return new BigDecimal(lower);
        }
        int small = SMALL_NUMBERS.indexOf(lower);
        var parts = lower.split("-", 2);
        int tens = TENS.indexOf(parts[0]);
        int ones = parts.length == 1 ? 0 : SMALL_NUMBERS.indexOf(parts[1]);
        if (small < 0 && (tens < 0 || ones < 0)) {
            return null;
        }
        return BigDecimal.valueOf(small >= 0 ? small : 20 + 10 * tens + ones);
    }

    /// The JSON value that the text begins with; null when the text does not begin with JSON.
    static @Nullable JsonNode json(String text) {
        try {
            var node = JSON.readTree(text);
            return node.isMissingNode() ? null : node;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /// A value as a JSON tree; null stays null.
    static @Nullable JsonNode tree(@Nullable Object value) {
        return value == null ? null : JSON.valueToTree(value);
    }

    /// A JSON tree or a text as compact JSON.
    static String toJson(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree always writes", e);
        }
    }
}
