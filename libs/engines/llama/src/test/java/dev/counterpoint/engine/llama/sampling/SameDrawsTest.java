package dev.counterpoint.engine.llama.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Step;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Who draws changes no token and no log probability, not by a bit.
class SameDrawsTest {
    private static final int STEPS = 5;

    @Test
    void drawsTheSameOnManyThreadsInAnyOrder() {
        var alone = drawn(1, 0);

        assertThat(drawn(4, 1)).isEqualTo(alone);
        assertThat(drawn(2, 2)).isEqualTo(alone);
        assertThat(alone).filteredOn(Optional::isPresent).hasSizeGreaterThan(100);
    }

    /// Of 100 sequences, which come in another order in each step.
    private static List<Optional<Step.Token>> drawn(int threads, int order) {
        int vocabularySize = 3000;
        var sequences = IntStream.range(0, 100)
                .mapToObj(seed -> new DrawnSequence(new RandomDraws(seed, vocabularySize)))
                .toList();
        try (var draws = new ParallelDraws(threads, vocabularySize)) {
            for (int i = 0; i < STEPS; i++) {
                var shuffled = new ArrayList<>(sequences);
                Collections.shuffle(shuffled, new Random(order));
                draws.run(shuffled);
            }
        }
        return sequences.stream().flatMap(DrawnSequence::tokens).toList();
    }

    private static final class DrawnSequence implements ParallelDraws.Draw {
        private final RandomDraws given;
        private final TokenSampler sampler;
        private final List<Optional<Step.Token>> tokens = new ArrayList<>();

        DrawnSequence(RandomDraws given) {
            this.given = given;
            this.sampler = new TokenSampler(given.request(), 1);
        }

        @Override
        public void with(Distribution distribution) {
            tokens.add(Optional.ofNullable(sampler.draw(MemorySegment.ofArray(given.step()), distribution)));
        }

        Stream<Optional<Step.Token>> tokens() {
            return tokens.stream();
        }
    }
}
