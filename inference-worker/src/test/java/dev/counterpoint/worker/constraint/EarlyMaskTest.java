package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.engine.EarlyMask;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EarlyMaskTest {
    private static final int SEQUENCES = 16;
    private static final int STEPS = 60;

    private final Timer timer = new SimpleMeterRegistry().timer("masks");

    /// Allows the number of tokens that it has accepted, and breaks at some token.
    private static final class CountingMask implements TokenMask {
        private final CountDownLatch begun = new CountDownLatch(1);
        private @Nullable Thread worker;
        private int accepted;

        @Override
        public long[] allowed() {
            worker = Thread.currentThread();
            begun.countDown();
            if (accepted == 7) {
                throw new IllegalStateException("broken");
            }
            return new long[] {1L << accepted};
        }

        @Override
        public void accept(int token) {
            if (token != accepted) {
                throw new IllegalArgumentException("not allowed");
            }
            accepted++;
        }
    }

    @Test
    void theNextSetIsMadeOnAnotherThreadBeforeAnybodyAsks() throws InterruptedException {
        // Given
        var mask = new CountingMask();
        var early = new EarlyMask(mask, timer::record);
        // When
        early.accept(0);
        mask.begun.await();
        // Then
        assertThat(early.allowed()).containsExactly(2);
        assertThat(early.allowed()).containsExactly(2);
        assertThat(mask.worker).isNotEqualTo(Thread.currentThread());
        assertThat(timer.count()).isEqualTo(1);
    }

    @Test
    void tokensInARowLeaveTheSetOfTheLast() {
        var early = new EarlyMask(new CountingMask(), timer::record);

        for (int token = 0; token < 5; token++) {
            early.accept(token);
        }

        assertThat(early.allowed()).containsExactly(1 << 5);
        assertThatThrownBy(() -> early.accept(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMaskThatBreaksAllowsNothing() {
        var early = new EarlyMask(new CountingMask(), timer::record);
        for (int token = 0; token < 7; token++) {
            early.accept(token);
        }

        assertThatThrownBy(early::allowed).isInstanceOf(IllegalStateException.class);
    }

    /// Prints how long the masks of one step take for sixteen sequences, each with a schema of its own, when nothing
    /// computes beside them.
    @Test
    void sixteenSequencesGetTheSetsOfTheirSchemas() {
        // Given
        var answers =
                IntStream.range(0, SEQUENCES).mapToObj(EarlyMaskTest::answer).toList();
        for (var round : List.of("cold", "warm")) {
            var masks = IntStream.range(0, SEQUENCES).mapToObj(this::mask).toList();
            var micros = new ArrayList<Long>();
            for (int step = 0; step < STEPS; step++) {
                // When
                long begin = System.nanoTime();
                for (int i = 0; i < SEQUENCES; i++) {
                    masks.get(i).accept(answers.get(i)[step]);
                }
                for (int i = 0; i < SEQUENCES; i++) {
                    // Then
                    assertThat(TokenMask.allows(masks.get(i).allowed(), answers.get(i)[step + 1]))
                            .as("sequence %d, step %d", i, step)
                            .isTrue();
                }
                micros.add((System.nanoTime() - begin) / 1000);
            }
            micros.sort(null);
            System.out.printf(
                    "masks of %d sequences, %s, in us a step: p50 %d, p90 %d, max %d%n",
                    SEQUENCES, round, micros.get(STEPS / 2), micros.get(STEPS * 9 / 10), micros.getLast());
        }
    }

    private EarlyMask mask(int number) {
        var fields = new StringBuilder();
        for (int i = 0; i <= number; i++) {
            fields.append("\"field_%d_%d\":{\"type\":\"string\"},".formatted(number, i));
        }
        var schema = "{\"type\":\"object\",\"properties\":{" + fields
                + "\"list\":{\"type\":\"array\",\"items\":{\"enum\":[\"a%d\",\"b\",3]}}},\"required\":[\"field_%d_0\"],"
                        .formatted(number, number)
                + "\"additionalProperties\":false}";
        var rules = new TurnRules(false, true, List.of(), new ResponseFormat("answer", null, schema, true));
        return new EarlyMask(new TurnMask(TurnConstraints.shared().of("sixteen", rules), rules), timer::record);
    }

    private static int[] answer(int number) {
        var text = "{\"field_%d_0\": \"%s\", \"list\": [3, \"a%d\", \"b\"%s]}"
                .formatted(number, "some words of text, ".repeat(2), number, ", 3".repeat(20));
        var tokenizer = HarmonyTokenizer.shared();
        var ids = IntStream.concat(
                        IntStream.of(SpecialTokens.CHANNEL, tokenizer.encode("final")[0], SpecialTokens.MESSAGE),
                        IntStream.concat(Arrays.stream(tokenizer.encode(text)), IntStream.of(SpecialTokens.RETURN)))
                .toArray();
        assertThat(ids).hasSizeGreaterThan(STEPS);
        return ids;
    }
}
