package dev.counterpoint.gateway.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ResponsePlacementTest {
    @Test
    void aNewResponseGoesToTheFullestPartitionThatHasRoom() {
        assertThat(LogConsumer.place(Map.of(0, 3L, 1, 127L, 2, 128L))).contains(1);
    }

    @Test
    void whereNoneHasRoomItGoesToTheEmptiest() {
        assertThat(LogConsumer.place(Map.of(0, 300L, 1, 128L, 2, 129L))).contains(1);
    }

    @Test
    void withoutAPartitionThereIsNoPlace() {
        assertThat(LogConsumer.place(Map.of())).isEmpty();
    }
}
