package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BeatPaceTest {
    private static final List<InboxPartition> INBOX = List.of(new InboxPartition(3, 7));

    private final BeatPace pace = new BeatPace(Duration.ofMillis(500));

    @Test
    void aBusyWorkerBeatsEachTimeAndAnIdleOneEveryOtherTime() {
        assertThat(IntStream.range(0, 6).filter(_ -> pace.due(false, INBOX))).hasSize(6);
        assertThat(IntStream.range(0, 6).filter(_ -> pace.due(true, INBOX))).hasSize(3);
    }

    @Test
    void anotherInboxIsToldAtOnce() {
        // Given
        pace.due(true, INBOX);
        // Then
        assertThat(pace.due(true, List.of())).isTrue();
        assertThat(pace.due(true, List.of())).isFalse();
        assertThat(pace.due(true, List.of(new InboxPartition(3, 8)))).isTrue();
    }

    @Test
    void aHeartbeatSaysWhenTheNextOneComes() {
        assertThat(pace.interval(false)).isEqualTo(Duration.ofMillis(500));
        assertThat(pace.interval(true)).isEqualTo(Duration.ofSeconds(1));
    }
}
