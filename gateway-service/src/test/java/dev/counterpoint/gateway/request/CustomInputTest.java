package dev.counterpoint.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomInputTest {
    private static final int RUNS = 500;
    private static final String CHARACTERS = "ab \"\\/\n\t\r\b\f\u0001{}:é€\ud83d\ude00input";

    @Test
    void theTextIsTheSameHoweverItsArgumentsComeInPieces() {
        for (long seed = 0; seed < RUNS; seed++) {
            // Given
            var random = new Random(seed);
            var text = text(random);
            var pieces = pieces(CustomInput.arguments(text), random);

            // When
            var read = read(pieces);

            // Then
            assertThat(read).as("seed %d", seed).isEqualTo(text);
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ \"input\" : \"a\" } | a",
                "{\"input\":\"a\\u0041\\/\"} | aA/",
                "{\"input\":\"a\\qb\\uZZZZ\"} | aqb\\uZZZZ",
                "{\"input\":\"a\",\"more\":1} | a",
                "{\"input\":\"cut off \\ | `cut off `",
                "{\"inp | {\"inp",
                "{\"input\":1} | {\"input\":1}",
                "{\"other\":\"a\"} | {\"other\":\"a\"}",
                "print(1) | print(1)",
                "{} | ``",
                "` { } ` | ``",
                "`` | ``"
            })
    void whatIsNoObjectWithOneTextIsTheTextItself(String arguments, String text) {
        assertThat(read(List.of(arguments))).isEqualTo(text);
        assertThat(read(arguments.chars().mapToObj(Character::toString).toList()))
                .isEqualTo(text);
    }

    private static String read(List<String> pieces) {
        var input = new CustomInput(false);
        var text = new StringBuilder();
        pieces.forEach(piece -> text.append(input.accept(piece)));
        return text.append(input.finish()).toString();
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        int length = random.nextInt(30);
        while (text.length() < length) {
            int at =
                    CHARACTERS.offsetByCodePoints(0, random.nextInt(CHARACTERS.codePointCount(0, CHARACTERS.length())));
            text.appendCodePoint(CHARACTERS.codePointAt(at));
        }
        return text.toString();
    }

    private static List<String> pieces(String whole, Random random) {
        var pieces = new ArrayList<String>();
        int at = 0;
        while (at < whole.length()) {
            int end = Math.min(whole.length(), at + 1 + random.nextInt(4));
            pieces.add(whole.substring(at, end));
            at = end;
        }
        return pieces;
    }
}
