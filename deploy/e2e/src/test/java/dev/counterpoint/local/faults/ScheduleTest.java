package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final Duration LENGTH = Duration.ofMinutes(10);
    private static final List<String> ONE = Cast.brokers(1);
    private static final List<String> THREE = Cast.brokers(3);

    @Test
    void aSeedGivesTheSameFaultsAgainAndAnotherSeedOthers() {
        assertThat(Schedule.of(7, LENGTH, ONE))
                .isEqualTo(Schedule.of(7, LENGTH, ONE))
                .isNotEqualTo(Schedule.of(8, LENGTH, ONE));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyProcessIsStruckAndEveryKindOfFaultComes(long seed) {
        var faults = Schedule.of(seed, LENGTH, ONE);

        assertThat(faults)
                .extracting(Fault::target)
                .containsAll(Cast.SERVICES)
                .containsAll(ONE)
                .contains(Cast.DATABASE);
        assertThat(faults).extracting(Fault::kind).contains(Fault.Kind.values());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void allAreOverInTimeAndNoProcessIsStruckTwiceAtOnce(long seed) {
        var over = new HashMap<String, Duration>();
        assertThat(Schedule.of(seed, LENGTH, ONE)).allSatisfy(fault -> {
            assertThat(fault.end()).isLessThanOrEqualTo(LENGTH);
            assertThat(fault.at()).isGreaterThan(over.getOrDefault(fault.target(), Duration.ZERO));
            over.put(fault.target(), fault.end());
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theDatabaseHangsForEverybodyInEveryRunAndServicesAreStruckMeanwhile(long seed) {
        var faults = Schedule.of(seed, LENGTH, ONE);
        var hangs = faults.stream()
                .filter(fault -> fault.kind() == Fault.Kind.HANG_DATABASE)
                .toList();

        assertThat(hangs).hasSizeBetween(4, 9).extracting(Fault::target).containsOnly(Cast.DATABASE);
        assertThat(faults)
                .anyMatch(fault -> Cast.isService(fault.target())
                        && hangs.stream()
                                .anyMatch(hang -> fault.at().compareTo(hang.at()) > 0
                                        && fault.at().compareTo(hang.end()) < 0));
        assertThat(Schedule.of(seed, Duration.ofMinutes(1), ONE))
                .extracting(Fault::kind)
                .contains(Fault.Kind.HANG_DATABASE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void ofThreeBrokersSomeAreKilledAndOneIsOutAtATime(long seed) {
        var brokers = Schedule.of(seed, LENGTH, THREE).stream()
                .filter(fault -> THREE.contains(fault.target()))
                .toList();

        assertThat(brokers.stream()
                        .filter(fault -> fault.kind() == Fault.Kind.KILL)
                        .map(Fault::target)
                        .distinct())
                .hasSizeGreaterThan(1);
        for (int next = 1; next < brokers.size(); next++) {
            assertThat(brokers.get(next).at())
                    .isGreaterThan(brokers.get(next - 1).end().plusSeconds(5));
        }
    }

    @Test
    void aMinuteHasSeveral() {
        assertThat(Schedule.of(1, Duration.ofMinutes(1), ONE)).hasSizeGreaterThan(8);
    }
}
