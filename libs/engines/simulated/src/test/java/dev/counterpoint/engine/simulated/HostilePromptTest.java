package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whoever may ask must not be able to stall the engine: work is counted where it can be, else limited by a generous
/// time.
@Timeout(120)
class HostilePromptTest {
    private static final Duration GENEROUS = Duration.ofSeconds(10);
    /// Characters that a pattern may look at for each character of the text.
    private static final int LOOKS_PER_CHARACTER = 2_000;
    private static final List<Class<?>> READERS = List.of(
            ArithmeticSkill.class,
            DeclaredTool.class,
            PassPhrase.class,
            PromptValues.class,
            PromptParts.class,
            TalkSkills.class,
            TextSkills.class,
            PromptWords.class,
            ToolSkills.class,
            VerifiableRecital.class);

    private static List<String> pieces() {
        return List.of(
                " ",
                "\n",
                "a",
                "a ",
                "A",
                "Aa ",
                "Ä",
                "1",
                "1 ",
                "1,",
                "1 + ",
                "(",
                "((1+",
                "-",
                "9^9*",
                "x@",
                "'",
                "\"",
                "`",
                "\"a",
                ",",
                "a, ",
                "a and ",
                "key: ",
                "key=",
                "how many ",
                "how many r's are in ",
                "\n- ",
                "is the ",
                "my a ",
                "my name is ",
                "what my ",
                "say ",
                "say exactly ",
                "count from ",
                "please ",
                "in ",
                "from A to ",
                "the letter ",
                "letters ",
                "no use call ",
                "// ",
                "a?: \"x\" | ",
                "{",
                "[",
                "[[",
                "😀",
                "💖a",
                "\uF8E0",
                "<|start|>");
    }

    @ParameterizedTest
    @MethodSource("pieces")
    void readsAMillionCharactersOfAnything(String piece) {
        var question = piece.repeat(1_000_000 / piece.length()) + "?";
        var talk = Talk.user(question).weatherTool();
        int[] prompt = talk.prompt();
        long begin = System.nanoTime();

        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("m").withContextLength(Integer.MAX_VALUE))) {
            var request = new GenerationRequest(
                    "hostile", prompt, new int[0], Sampling.GREEDY, 10_000, Talk.STOPS, TokenMask.ALL, "");
            var said = Talk.Output.of(GenerationPull.all(engine, request).ids());

            assertThat(said.messages()).hasSize(2);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(GENEROUS);
    }

    @Test
    void noPatternLooksAtACharacterTooOften() throws IllegalAccessException {
        var patterns = patterns();
        assertThat(patterns).hasSizeGreaterThan(25);
        for (var pattern : patterns) {
            for (var piece : pieces()) {
                for (var last : List.of("", "!", "\u0000")) {
                    // Given
                    var text =
                            new CountedText(piece.repeat(PromptContent.READ_MAX / piece.length()) + last, new long[1]);

                    // When
                    var matcher = pattern.matcher(text);
                    while (matcher.find()) {
                        // Only the work counts.
                    }
                    pattern.matcher(text).matches();

                    // Then
                    assertThat(text.looks()[0])
                            .as("%s at “%s”", pattern, piece)
                            .isLessThan((long) LOOKS_PER_CHARACTER * PromptContent.READ_MAX);
                }
            }
        }
    }

    private static List<Pattern> patterns() throws IllegalAccessException {
        var patterns = new ArrayList<Pattern>();
        for (var reader : READERS) {
            for (var field : reader.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == Pattern.class) {
                    field.setAccessible(true);
                    patterns.add((Pattern) field.get(null));
                }
            }
        }
        return patterns;
    }

    @Test
    void aTokenThatLeavesALongPlanCostsNoMoreThanInAShortOne() {
        // Given numbers that must be spelled in another way, each by itself
        var bans = new HashMap<Integer, Double>();
        for (int number = 100; number < 1_000; number++) {
            bans.put(Talk.encode(String.valueOf(number))[0], -100.0);
        }
        long begin = System.nanoTime();

        // When
        var output = Talk.user("Count from 1 to 20000.")
                .sampling(Sampling.GREEDY.withLogitBias(bans))
                .maxTokens(20_000)
                .output();

        // Then
        assertThat(output.ids().length).isEqualTo(20_000);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(GENEROUS.multipliedBy(3));
    }

    @Test
    void readsManyToolsWithManyParameters() {
        var talk = Talk.user("Weather in Paris?");
        var properties = String.join(
                ",",
                IntStream.range(0, 30)
                        .mapToObj(number -> "\"p" + number + "\":{\"type\":\"string\",\"description\":\"city "
                                + "x ".repeat(10) + "\"}")
                        .toList());
        for (int i = 0; i < 40; i++) {
            talk.tool("tool_" + i, "word ".repeat(200), "{\"type\":\"object\",\"properties\":{" + properties + "}}");
        }

        assertThat(talk.weatherTool().output().messages()).isNotEmpty();
    }

    /// Counts how often a character is looked at.
    private record CountedText(String text, long[] looks) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            looks[0]++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
