package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecitalTest {
    private static final String QUESTION = "Recite 35 verifiable words after 12 thoughts, number 7.";
    private static final int FINAL_AT = 3 + 12 + 2 + 6;

    private final SimulatedEngine engine = new SimulatedEngine(SimulatedOptions.immediate("gpt-oss-20b"));

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void saysAsManyWordsAsItIsAskedFor() throws InterruptedException {
        // When
        var output = Talk.Output.of(attempt(QUESTION, "one", new int[0]));
        // Then
        assertThat(output.analysis()).matches("(?: [a-z]{2}){10}\\.(?: [a-z]{2}){2}\\.");
        assertThat(output.answer()).matches("(?:(?: [a-z]{2}){10}\\.){3}(?: [a-z]{2}){5}\\.");
        assertThat(output.ids()).hasSize(FINAL_AT + 35 + 4 + 1);
        assertThat(Talk.Output.of(attempt("Recite 3 verifiable words.", "one", new int[0]))
                        .analysis())
                .isEmpty();
    }

    @Test
    void eachWordIsOneToken() {
        for (int number = 0; number < VerifiableRecital.COUNT; number++) {
            assertThat(Talk.encode(VerifiableRecital.spelled(number))).hasSize(1);
        }
    }

    @Test
    void whoeverKnowsWhichAttemptSpokeWhenFindsEveryWord() throws InterruptedException {
        var random = new Random(5);
        for (int round = 0; round < 100; round++) {
            // Given
            var tellers = new ArrayList<String>();
            int[] said = new int[0];
            // When up to four attempts follow each other, each cut off anywhere
            for (int number = 0; number < 4; number++) {
                var name = "attempt-" + round + "-" + number;
                int[] rest = attempt(QUESTION, name, said);
                int[] whole = Arrays.copyOf(said, said.length + rest.length);
                System.arraycopy(rest, 0, whole, said.length, rest.length);
                int until = number == 3 ? whole.length : said.length + random.nextInt(rest.length + 1);
                for (int at = said.length; at < until; at++) {
                    tellers.add(name);
                }
                said = Arrays.copyOf(whole, until);
            }
            // Then
            assertThat(words(said)).isEqualTo(expected(said, tellers));
        }
    }

    @Test
    void aLostARepeatedAndAForeignWordIsSeen() throws InterruptedException {
        int[] said = attempt(QUESTION, "one", new int[0]);
        int[] other = attempt("Recite 35 verifiable words after 12 thoughts, number 8.", "one", new int[0]);
        int at = FINAL_AT + 4;

        int[] lost = said.clone();
        System.arraycopy(said, at + 1, lost, at, 5);
        int[] repeated = said.clone();
        System.arraycopy(said, at, repeated, at + 1, 4);
        int[] foreign = said.clone();
        System.arraycopy(other, at, foreign, at, 5);

        for (int[] damaged : List.of(lost, repeated, foreign)) {
            assertThat(words(damaged))
                    .isNotEqualTo(expected(damaged, List.of("one")))
                    .isNotEqualTo(words(said));
        }
        assertThat(words(said)).isEqualTo(expected(said, List.of("one")));
    }

    @Test
    void endsUnderAMaskThatForbidsTheWord() throws InterruptedException {
        var request = new GenerationRequest(
                "one",
                Talk.user(QUESTION).prompt(),
                new int[0],
                Sampling.GREEDY,
                100,
                Talk.STOPS,
                new PatternMask("[0-9]*"),
                "");

        assertThat(GenerationPull.all(engine, request).reason()).isEqualTo(StopReason.NO_TOKEN);
    }

    private int[] attempt(String question, String name, int[] prefix) throws InterruptedException {
        var request = new GenerationRequest(
                name, Talk.user(question).prompt(), prefix, Sampling.DEFAULT, 20_000, Talk.STOPS, TokenMask.ALL, "");
        var pulled = GenerationPull.all(engine, request);
        assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
        return pulled.ids();
    }

    private static List<String> words(int[] ids) {
        return Arrays.stream(ids)
                .mapToObj(id -> Talk.TOKENIZER.decode(new int[] {id}))
                .filter(text -> text.startsWith(" "))
                .toList();
    }

    /// The rule once more, in other words.
    ///
    /// @param tellers of each token; the last one's also of those that follow
    private static List<String> expected(int[] ids, List<String> tellers) {
        var words = new ArrayList<String>();
        long said = fold(QUESTION);
        for (int at = 0; at < ids.length; at++) {
            var text = Talk.TOKENIZER.decode(new int[] {ids[at]});
            if (text.startsWith(" ")) {
                long teller = fold(tellers.get(Math.min(at, tellers.size() - 1)));
                int due = (int) Long.divideUnsigned(mix(said ^ teller), 1L << 58);
                words.add(" " + "bcdfghklmnprstvw".charAt(due >> 2) + "aeio".charAt(due & 3));
                int spoken = "bcdfghklmnprstvw".indexOf(text.charAt(1)) * 4 + "aeio".indexOf(text.charAt(2));
                said = mix(said ^ (spoken + 1));
            }
        }
        return words;
    }

    private static long fold(String text) {
        long hash = 0;
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            hash = mix(hash ^ Byte.toUnsignedLong(octet));
        }
        return hash;
    }

    private static long mix(long value) {
        long z = value - 7046029254386353131L;
        z = (z ^ (z >>> 30)) * -4658895280553007687L;
        z = (z ^ (z >>> 27)) * -7723592293110705685L;
        return z ^ (z >>> 31);
    }
}
