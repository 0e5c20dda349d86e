package dev.counterpoint.gateway.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowedPartitionTest {
    private final FollowedPartition partition = new FollowedPartition(3);

    @Test
    void aBeatCountsWhenAllHasBeenReadThatWasThere() {
        // Given
        partition.takeUp(new FollowedPartition.Stretch(0, 0));
        assertThat(partition.asks(1)).isTrue();
        partition.answer(2);
        partition.read(0);
        partition.tick();
        assertThat(partition.beats()).as("one frame is missing").isZero();
        // When
        partition.read(1);
        partition.tick();
        partition.tick();
        // Then
        assertThat(partition.beats()).isOne();
    }

    @Test
    void nothingIsAskedTwiceNorBeforeTheAnswerCame() {
        assertThat(partition.asks(1)).isTrue();
        assertThat(partition.asks(1)).isFalse();
        assertThat(partition.asks(2)).as("under way").isFalse();

        partition.answer(0);
        partition.tick();

        assertThat(partition.asks(1)).as("asked at this beat").isFalse();
        assertThat(partition.asks(2)).isTrue();
    }

    @Test
    void aBeatWithoutAnAnswerDoesNotCount() {
        // Given
        partition.asks(1);
        // When
        partition.answerFailed();
        partition.tick();
        // Then
        assertThat(partition.beats()).isZero();
        assertThat(partition.asks(2)).as("and is not the last one").isTrue();
    }

    @Test
    void anOwnerHasCaughtUpWhenItHasReadWhatItsPredecessorLeft() {
        // Given
        partition.takeUp(new FollowedPartition.Stretch(5, 7));
        boolean early = partition.caughtUp();
        // When
        partition.read(5);
        partition.read(6);
        // Then
        assertThat(early).isFalse();
        assertThat(partition.caughtUp()).isTrue();
    }
}
