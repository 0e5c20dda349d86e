package dev.counterpoint.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.gateway.fleet.FleetMembership;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class HeartbeatLoopTest {
    private static final String SELF = "gateway-1";

    private final Appended bus = new Appended();
    private final HeartbeatLoop beats = new HeartbeatLoop(
            new KafkaClients("localhost:1", Map.of()),
            bus.producer,
            SELF,
            new FleetMembership(SELF, 4, Duration.ofMillis(500)),
            () -> {});

    @Test
    void aBeatThatCannotBeSentStopsNoLaterOne() {
        // Given
        bus.producer.sendException = new KafkaException("away");
        beats.send();
        bus.producer.sendException = new IllegalStateException("closed");
        beats.send();
        bus.sendingWorksAgain();
        // When
        beats.send();
        // Then
        assertThat(bus.producer.history()).hasSize(1);
    }

    @Test
    void theBusDoesNotAnswerBeforeABeatCameBack() {
        assertThat(beats.busAnswers(Duration.ofMinutes(1))).isFalse();
    }
}
