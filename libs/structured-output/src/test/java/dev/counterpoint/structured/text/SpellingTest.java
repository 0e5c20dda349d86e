package dev.counterpoint.structured.text;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpellingTest {
    private static final int[] EDGES = {
        0, 1, 8, 9, 10, 12, 13, 0x1f, ' ', '"', '/', '\\', 'a', 0x7f, 0x80, 0xff, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff,
        0xe000, 0xffff, 0x10000, 0x1f600, 0xfffff, 0x100000, 0x10ffff
    };
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RegexPool pool = new RegexPool();
    private final Random random = new Random(3);

    private static boolean matches(Regex regex, String text) {
        return regex.matches(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void oneCharacterIsSpelledAsUtf8() {
        for (int i = 0; i < 300; i++) {
            // Given
            int from = edge();
            int to = edge();
            var set = i % 2 == 0
                    ? Characters.range(from, to)
                    : Characters.of(from, to).complement();
            // When
            var regex = TextPattern.of(set).toRegex(pool, Spelling.PLAIN);
            // Then
            for (int edge : EDGES) {
                for (int character = Math.max(0, edge - 1); character <= Math.min(edge + 1, 0x10ffff); character++) {
                    if (character < 0xd800 || character > 0xdfff) {
                        assertThat(matches(regex, Character.toString(character)))
                                .isEqualTo(set.contains(character));
                    }
                }
            }
        }
    }

    private int edge() {
        return EDGES[random.nextInt(EDGES.length)];
    }

    @Test
    void nothingButWellFormedUtf8IsAnyText() {
        // Given
        var any = TextPattern.anything().toRegex(pool, Spelling.PLAIN);
        var bytes = new byte[4];
        int[] interesting = {
            0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4,
            0xf5, 0xff
        };
        for (int i = 0; i < 100_000; i++) {
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = (byte) interesting[random.nextInt(interesting.length)];
            }
            // Then
            assertThat(any.matches(bytes)).isEqualTo(isUtf8(bytes));
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    @Test
    void whatMatchesInsideJsonIsWhatMatchesTheDecodedText() throws JsonProcessingException {
        // Given
        var length = TextPattern.length(0, 3);
        var noQuote = TextPattern.not(
                TextPattern.concat(TextPattern.anything(), TextPattern.literal("\""), TextPattern.anything()));
        var pattern = TextPattern.and(length, noQuote);
        var plain = pattern.toRegex(pool, Spelling.PLAIN);
        var canonical = JsonText.string(pool, pattern);
        var escapes = pattern.toRegex(pool, Spelling.JSON_ESCAPES);
        var any = JsonText.anyString(pool);
        for (int i = 0; i < 3_000; i++) {
            var text = new StringBuilder();
            var escaped = new StringBuilder();
            for (int left = random.nextInt(5); left > 0; left--) {
                int character = edge();
                text.appendCodePoint(character);
                escape(character, escaped);
            }
            // When
            boolean fits = matches(plain, text.toString());
            // Then
            assertThat(matches(canonical, JSON.writeValueAsString(text.toString())))
                    .isEqualTo(fits);
            assertThat(matches(escapes, escaped.toString()))
                    .as(escaped.toString())
                    .isEqualTo(fits);
            assertThat(matches(any, '"' + escaped.toString() + '"')).isTrue();
            assertThat(JSON.readValue('"' + escaped.toString() + '"', String.class))
                    .isEqualTo(text.toString());
        }
    }

    private void escape(int character, StringBuilder escaped) {
        int at = "\"\\/\b\f\n\r\t".indexOf(character);
        boolean needed = character < 0x20 || character == '"' || character == '\\';
        if (at >= 0 && random.nextBoolean()) {
            escaped.append('\\').append("\"\\/bfnrt".charAt(at));
        } else if (needed || random.nextBoolean()) {
            var format = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
            Character.toString(character).chars().forEach(unit -> escaped.append(format.formatted(unit)));
        } else {
            escaped.appendCodePoint(character);
        }
    }

    @Test
    void anyStringIsWhatJsonReads() {
        // Given
        var any = JsonText.anyString(pool);
        String[] parts = {
            "\\", "u", "d83d", "\\ude00", "00", "4", "n", "\"", "a", "/", "\n", "\\\\", "\\ud83d", "\\u0041"
        };
        for (int i = 0; i < 50_000; i++) {
            var text = new StringBuilder("\"");
            for (int left = random.nextInt(5); left > 0; left--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            text.append('"');
            // Then
            assertThat(matches(any, text.toString())).as(text.toString()).isEqualTo(reads(text.toString()));
        }
    }

    private static boolean reads(String json) {
        try (var parser = JSON.createParser(json)) {
            parser.nextToken();
            var text = parser.getText();
            return parser.nextToken() == null && text.codePoints().noneMatch(one -> one >= 0xd800 && one < 0xe000);
        } catch (java.io.IOException _) {
            return false;
        }
    }

    @Test
    void countedStringsStartWithTheCountedCharacter() {
        // When
        var inside = JsonText.stringOfLength(pool, 2, 5).step('"');
        // Then
        assertThat(inside).isNotNull();
        assertThat(inside.head()).isNotNull().extracting(Regex.Head::max).isEqualTo(5);
        assertThat(requireNonNull(requireNonNull(JsonText.anyString(pool).step('"'))
                                .head())
                        .repeated())
                .isSameAs(inside.head().repeated());
    }

    @Test
    void scalarsAreSpelledOut() {
        var nodes = JsonNodeFactory.instance;
        assertThat(matches(JsonText.value(pool, nodes.textNode("a\"\n\u0001é")), "\"a\\\"\\n\\u0001é\""))
                .isTrue();
        assertThat(matches(JsonText.value(pool, nodes.booleanNode(true)), "true"))
                .isTrue();
        assertThat(matches(JsonText.value(pool, nodes.nullNode()), "null")).isTrue();
        assertThat(matches(JsonText.value(pool, nodes.numberNode(new BigDecimal("1.50"))), "1.50"))
                .isTrue();
    }
}
