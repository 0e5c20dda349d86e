package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whoever may ask must not be able to stall the engine: work is counted where it can be, else limited by a generous
/// time.
@Timeout(120)
class HostilePromptTest {
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    private static List<String> pieces() {
        return List.of(
                " ",
                "\n",
                "a",
                "a ",
                "1",
                "count from ",
                "count from 1 to ",
                "think of a pass phrase for \"",
                "recite 1 ",
                "say: ",
                "\nsay: ",
                "\ncall: ",
                "\nthink: a",
                "{",
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

            assertThat(said.messages()).hasSizeBetween(1, 2);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(GENEROUS);
    }

    @Test
    void aTokenThatLeavesALongPlanCostsNoMoreThanInAShortOne() {
        // Given numbers that must be left out
        var bans = new HashMap<Integer, Double>();
        for (int number = 100; number < 1_000; number++) {
            bans.put(Talk.encode(String.valueOf(number))[0], -100.0);
        }
        long begin = System.nanoTime();

        // When
        var output = Talk.user("Count from 1 to 20000.")
                .sampling(Sampling.GREEDY.withLogitBias(bans))
                .maxTokens(100_000)
                .output();

        // Then
        assertThat(output.answer().startsWith("1, 2, 3, ")).isTrue();
        assertThat(output.ids()).hasSizeGreaterThan(20_000).endsWith(SpecialTokens.RETURN);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(GENEROUS.multipliedBy(3));
    }
}
