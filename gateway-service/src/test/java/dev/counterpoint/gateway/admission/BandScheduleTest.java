package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.HIGH;
import static dev.counterpoint.bus.kafka.Topic.Band.LOW;
import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BandScheduleTest {
    private static final Set<Band> ALL = EnumSet.allOf(Band.class);
    private static final Map<Band, Integer> SHARES = Map.of(HIGH, 12, NORMAL, 3, LOW, 1);
    private static final int ROUND = 16;

    private final BandSchedule turns = new BandSchedule(SHARES);

    @Test
    void whileAllHaveJobsEachGetsItsShare() {
        var taken = new EnumMap<Band, Integer>(Band.class);
        for (int i = 0; i < 10 * ROUND; i++) {
            taken.merge(take(ALL), 1, Integer::sum);
        }

        assertThat(taken).isEqualTo(Map.of(HIGH, 120, NORMAL, 30, LOW, 10));
    }

    @ParameterizedTest
    @EnumSource
    void whoIsAloneAlwaysHasItsTurn(Band alone) {
        for (int i = 0; i < 3 * ROUND; i++) {
            assertThat(take(EnumSet.of(alone))).isEqualTo(alone);
        }
    }

    @Test
    void anUrgentJobIsNextHoweverManyOthersWait() {
        // Given
        for (int i = 0; i < 100; i++) {
            take(EnumSet.of(NORMAL, LOW));
        }
        // Then
        assertThat(take(ALL)).isEqualTo(HIGH);
    }

    /// Queues that fill and run empty at random: whoever has a job is served before others could take
    /// two rounds, and an urgent one before others could take their shares of one.
    @Test
    void nobodyWithAJobWaitsLongerThanTwoRounds() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var fair = new BandSchedule(SHARES);
            var jobs = new EnumMap<Band, Integer>(Band.class);
            var waited = new EnumMap<Band, Integer>(Band.class);
            int[] rates = random.ints(Band.values().length, 0, 100).toArray();
            for (int step = 0; step < 400; step++) {
                for (var band : Band.values()) {
                    if (random.nextInt(100) < rates[band.ordinal()]) {
                        jobs.merge(band, 1, Integer::sum);
                    }
                }
                if (!jobs.isEmpty()) {
                    var served = fair.next(jobs.keySet());
                    fair.took(served);
                    jobs.computeIfPresent(served, (_, left) -> left == 1 ? null : left - 1);
                    Arrays.stream(Band.values())
                            .filter(jobs::containsKey)
                            .forEach(band -> waited.merge(band, 1, Integer::sum));
                    waited.put(served, 0);
                    waited.keySet().retainAll(jobs.keySet());
                }
                assertThat(waited.getOrDefault(HIGH, 0)).as("seed %d", seed).isLessThanOrEqualTo(4);
                assertThat(waited.getOrDefault(NORMAL, 0)).as("seed %d", seed).isLessThanOrEqualTo(25);
                assertThat(waited.getOrDefault(LOW, 0)).as("seed %d", seed).isLessThanOrEqualTo(30);
            }
        }
    }

    @Test
    void aBandWithoutAShareIsRefused() {
        assertThatThrownBy(() -> new BandSchedule(Map.of(HIGH, 1, NORMAL, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("share");
        assertThatThrownBy(() -> new BandSchedule(Map.of(HIGH, 1, NORMAL, 1, LOW, 0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Band take(Set<Band> wanting) {
        var band = turns.next(wanting);
        turns.took(band);
        return band;
    }
}
