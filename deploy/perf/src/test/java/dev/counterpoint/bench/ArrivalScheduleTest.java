package dev.counterpoint.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalScheduleTest {
    private static final Pace PACE = new Pace(64, Duration.ofMillis(20));
    private static final Duration WARM = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 1000})
    void soManyStreamsAreOpenAsAreAskedFor(int streams) {
        var schedule = ArrivalSchedule.steady(streams, PACE, WARM, MEASURED);
        long answer = PACE.answer().toNanos();
        var open = LongStream.rangeClosed(3, 11)
                .map(second -> second * 1_000_000_000)
                .mapToDouble(at -> LongStream.of(schedule.starts())
                        .filter(start -> start <= at && start > at - answer)
                        .count());
        assertThat(open.average().orElseThrow()).isCloseTo(streams, Offset.offset(0.1 * streams + 0.5));
    }

    @Test
    void everyTargetGetsTheSameInOrder() {
        var one = ArrivalSchedule.steady(64, PACE, WARM, MEASURED).starts();
        assertThat(one)
                .isSorted()
                .isEqualTo(ArrivalSchedule.steady(64, PACE, WARM, MEASURED).starts());
    }

    @Test
    void burstsStartTogetherAndOnlyTheFirstIsNotMeasured() {
        var schedule = ArrivalSchedule.bursts(16, PACE, Duration.ZERO);
        assertThat(LongStream.of(schedule.starts()).distinct()).hasSize(4);
        assertThat(LongStream.of(schedule.starts()).filter(schedule::isMeasured))
                .hasSize(48);
    }

    @Test
    void whatIsOfferedIsWhatTheUpstreamSays() {
        var schedule = ArrivalSchedule.steady(16, PACE, WARM, MEASURED);
        assertThat(schedule.offered()).isCloseTo(16 / 1.26 * 64, Offset.offset(15.0));
    }
}
