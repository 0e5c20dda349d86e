package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LostBusTest {
    private static final Uuid OURS = Uuid.randomUuid();

    private final AtomicInteger lost = new AtomicInteger();
    private @Nullable Uuid there = OURS;
    private final LostBus watch = new LostBus(this::topic, lost::incrementAndGet, () -> {});

    private Uuid topic() {
        if (there == null) {
            throw new KafkaException("away");
        }
        return there;
    }

    @Test
    void aBusWhoseTopicIsAnotherIsLostOnce() {
        looks(OURS, 1);
        looks(Uuid.randomUuid(), 9);
        assertThat(lost).hasValue(1);
    }

    @Test
    void aBusWithoutTopicsIsLost() {
        looks(OURS, 1);
        looks(Uuid.ZERO_UUID, 3);
        assertThat(lost).hasValue(1);
    }

    @Test
    void aBusThatDoesNotAnswerIsNotLost() {
        looks(OURS, 1);
        looks(null, 9);
        looks(OURS, 9);
        assertThat(lost).hasValue(0);
    }

    @Test
    void aBrokerThatLearnsOfItsTopicsLateIsNotLost() {
        looks(OURS, 1);
        looks(Uuid.ZERO_UUID, 2);
        looks(OURS, 1);
        looks(Uuid.ZERO_UUID, 2);
        assertThat(lost).hasValue(0);
    }

    @Test
    void aBusThatHasNoTopicsYetIsNotLost() {
        looks(Uuid.ZERO_UUID, 9);
        looks(OURS, 9);
        assertThat(lost).hasValue(0);
    }

    private void looks(@Nullable Uuid found, int times) {
        there = found;
        for (int i = 0; i < times; i++) {
            watch.look();
        }
    }
}
