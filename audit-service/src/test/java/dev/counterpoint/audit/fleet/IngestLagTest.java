package dev.counterpoint.audit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class IngestLagTest {
    private final IngestLag lag = new IngestLag();

    @Test
    void isZeroWhenAllIsStored() {
        assertThat(lag.look(1_000, Map.of(0, 5L, 1, 0L), Map.of(0, 5L, 1, 0L))).isZero();
        assertThat(lag.look(2_000, Map.of(0, 9L, 1, 0L), Map.of(0, 9L, 1, 0L))).isZero();
    }

    @Test
    void growsFromTheLookBeforeTheRecordCame() {
        lag.look(1_000, Map.of(0, 5L), Map.of(0, 5L));

        assertThat(lag.look(2_000, Map.of(0, 6L), Map.of(0, 5L))).isEqualTo(1_000);
        assertThat(lag.look(9_000, Map.of(0, 6L), Map.of(0, 5L))).isEqualTo(8_000);
    }

    @Test
    void shrinksWithWhatIsStored() {
        // Given a record before second 2 and another before second 4
        lag.look(1_000, Map.of(0, 5L), Map.of(0, 5L));
        lag.look(2_000, Map.of(0, 6L), Map.of(0, 5L));
        lag.look(3_000, Map.of(0, 6L), Map.of(0, 5L));
        lag.look(4_000, Map.of(0, 7L), Map.of(0, 5L));
        // Then
        assertThat(lag.look(5_000, Map.of(0, 7L), Map.of(0, 6L))).isEqualTo(2_000);
        assertThat(lag.look(6_000, Map.of(0, 7L), Map.of(0, 7L))).isZero();
    }

    @Test
    void isThatOfTheSlowestPartition() {
        lag.look(1_000, Map.of(0, 0L, 1, 0L), Map.of());
        lag.look(2_000, Map.of(0, 1L, 1, 0L), Map.of(1, 0L));

        assertThat(lag.look(5_000, Map.of(0, 1L, 1, 9L), Map.of(0, 0L, 1, 9L))).isEqualTo(4_000);
    }

    @Test
    void holdsBoundedMemoryAndKeepsTheAge() {
        lag.look(0, Map.of(0, 0L), Map.of(0, 0L));
        for (int second = 1; second <= 10_000; second++) {
            lag.look(second * 1_000L, Map.of(0, (long) second), Map.of(0, 0L));
        }

        assertThat(lag.look(10_001_000, Map.of(0, 10_000L), Map.of(0, 0L))).isEqualTo(10_001_000);
    }
}
