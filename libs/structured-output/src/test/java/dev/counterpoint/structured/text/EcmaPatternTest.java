package dev.counterpoint.structured.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EcmaPatternTest {
    private static final String ALPHABET = "ab_- 1é";
    private static final String[] ATOMS = {
        "a",
        "b",
        "ab",
        "[ab]",
        "[^a]",
        "\\w",
        "\\W",
        "\\d",
        ".",
        "\\s",
        "\\S",
        "[a\\-_]",
        "é",
        "1",
        "-",
        "_",
        "(?:)",
        "^",
        "$",
        "\\b",
        "\\B",
        "(?<=a)",
        "(?<!a)",
        "(?<=^|b)"
    };
    private static final String[] QUANTIFIERS = {"*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "+?"};

    private final RegexPool pool = new RegexPool();
    private final Random random = new Random(7);

    private String pattern(int depth) {
        var pattern = new StringBuilder();
        int parts = 1 + random.nextInt(3);
        for (int i = 0; i < parts; i++) {
            pattern.append(part(depth));
        }
        return random.nextInt(4) == 0 ? pattern + "|" + part(depth) : pattern.toString();
    }

    private String part(int depth) {
        String part = switch (depth == 0 ? 9 : random.nextInt(8)) {
            case 0, 1 -> "(" + pattern(depth - 1) + ")";
            case 2 -> "(?=" + pattern(depth - 1) + ")";
            case 3 -> "(?!" + pattern(depth - 1) + ")";
            default -> ATOMS[random.nextInt(ATOMS.length)];
        };
        boolean assertion = part.matches("[$^]|\\\\[bB]|\\(\\?[<=!].*");
        boolean quantified = !assertion && part.length() != 2 | part.startsWith("\\") && random.nextInt(3) == 0;
        return quantified ? part + QUANTIFIERS[random.nextInt(QUANTIFIERS.length)] : part;
    }

    private String text() {
        var text = new StringBuilder();
        int length = random.nextInt(7);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private static boolean matches(Regex regex, String text) {
        return regex.matches(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void findsWhatTheJdkFinds() {
        int compared = 0;
        for (int i = 0; i < 3_000; i++) {
            // Given
            var source = pattern(2);
            var jdk = Pattern.compile(source);
            // When
            Regex regex;
            try {
                regex = EcmaPattern.parse(source).toRegex(pool, Spelling.PLAIN);
            } catch (UnsupportedPatternException _) {
                continue;
            }
            // Then
            compared++;
            for (int j = 0; j < 60; j++) {
                var text = text();
                assertThat(matches(regex, text))
                        .as("/%s/ in '%s'", source, text)
                        .isEqualTo(jdk.matcher(text).find());
            }
        }
        assertThat(compared).isGreaterThan(2_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '"',
            value = {
                "^a|b$ abb true",
                "^a|b$ ba false",
                "(^a|b)c xbc true",
                "(^a|b)c xac false",
                "^(?!.*--)[a-z-]+$ a-b true",
                "^(?!.*--)[a-z-]+$ a--b false",
                "^(?:(?!foo).)*$ fofo true",
                "^(?:(?!foo).)+$ xfoo false",
                "^(\\d+(,|$))+$ 1,22 true",
                "^(\\d+(,|$))+$ 1,,2 false",
                "\\Aab\\Z ab true",
                "\\Aab\\z xab false",
                "(?i)^abc$ aBC true",
                "^(?i:a)b$ AB false",
                "^(?P<x>a)$ a true",
                "^\\-\\_\\/\\@$ -_/@ true",
                "^\\u{1F600}\\ud83d\\ude00$ 😀😀 true",
                "^\\p{Lu}\\P{Lu}$ Éé true",
                "^\\p{Script=Greek}+$ αβγ true",
                "^\\p{Greek}$ a false",
                "^\\p{L}\\pN$ ж٣ true",
                "^\\x41\\cJ?[\\b]?$ A true",
                "^a{2}{$ aa{ true",
                "^]}$ ]} true",
                "^[^]$ x true",
                "^[\\w-.]$ - true",
                "^(a{1000}){1000}$ a false",
                "^((25[0-5]|1?\\d?\\d)(\\.(?!$)|$)){4}$ 1.22.255.0 true",
                "^((25[0-5]|1?\\d?\\d)(\\.(?!$)|$)){4}$ 1.2.3.4. false",
                "^.$ \u2028 false",
                "^(?s).$ \u2028 true",
                "^\\s$ \ufeff true"
            })
    void readsPatternsOfRealSchemas(String source, String text, boolean found) {
        assertThat(matches(EcmaPattern.parse(source).toRegex(pool, Spelling.PLAIN), text))
                .isEqualTo(found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a)\\1",
                "\\k<a>",
                "a++",
                "(?>a)",
                "(?<=ab)c",
                "(",
                "a)",
                "[a",
                "[[:alpha:]]",
                "*",
                "a**",
                "^*",
                "\\",
                "\\Q",
                "\\x4",
                "\\u12",
                "[b-a]",
                "a{3,2}",
                "a{,3}",
                "(?<n",
                "\\p{Nonsense}",
                "(?x)a",
                "(\\ba)*b",
                "\\u{110000}"
            })
    void refusesByNameAndPlace(String source) {
        assertThatThrownBy(() -> EcmaPattern.parse(source))
                .isInstanceOf(UnsupportedPatternException.class)
                .hasMessageContaining("at position");
    }

    @Test
    void outlivesHostilePatterns() {
        for (var source : new String[] {
            "(".repeat(40_000),
            "(a".repeat(150) + ")*".repeat(150),
            "^$".repeat(20_000),
            "(?=a)".repeat(9_000),
            "[".repeat(40_000),
            "(((^a|b){50}){50}){50}",
            "^" + "a?".repeat(20_000) + "$",
            "^" + "a?".repeat(1_900) + "$",
            "^" + "a?".repeat(95) + "$",
            "^(" + "x".repeat(990) + "){2}$",
            "^(" + "x".repeat(40_000) + "){2}$",
            "x".repeat(49_000),
            "|".repeat(49_000),
            "(?!(?!(?!a)))".repeat(40)
        }) {
            try (var _ = WorkLimit.of(1_000_000)) {
                JsonText.string(pool, EcmaPattern.parse(source)).step("\"ab".getBytes(StandardCharsets.UTF_8));
            } catch (UnsupportedPatternException | TooComplexException expected) {
                assertThat(expected).hasMessageMatching(".*(position|complex|in a row).*");
            }
        }
    }
}
