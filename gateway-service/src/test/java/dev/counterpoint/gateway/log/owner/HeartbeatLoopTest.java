package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.fleet.FleetMembership;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeartbeatLoopTest {
    private static final String SELF = "gateway-1";

    private static final Heartbeat.Model MODEL = new Heartbeat.Model("model", "", 1_000, 1, 1, List.of());

    private final Appended bus = new Appended();
    private final FleetMembership fleet = new FleetMembership(SELF, 4, Duration.ofMillis(500));
    private final HeartbeatLoop beats = new HeartbeatLoop(
            new KafkaClients("localhost:1", Map.of()), bus.producer, fleet, () -> {}, TestKeys.of(ServiceRole.GATEWAY));

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

    @Test
    void h4ABeatThatNoWorkerSentAddsNoModel() {
        // When
        hears("worker-1", beat("worker-1").encode());
        hears("worker-1", signer("worker-1", ServiceRole.SUMMARIZER).prove(beat("worker-1")));
        hears("worker-1", signer("worker-2", ServiceRole.WORKER).prove(beat("worker-1")));
        // Then
        assertThat(fleet.models()).isEmpty();
    }

    @Test
    void h4OnlyAWorkerSaysThatItLeaves() {
        // Given
        var worker = signer("worker-1", ServiceRole.WORKER);
        hears("worker-1", worker.prove(beat("worker-1")));
        // When
        hears("worker-1", null);
        assertThat(fleet.dead("worker-1")).isFalse();
        hears("worker-1", worker.proveFarewell(beat("worker-1")));
        // Then
        assertThat(fleet.dead("worker-1")).isTrue();
    }

    @Test
    void h4NobodyMakesThisGatewaysTimeRunByCopiesOfItsBeats() {
        // Given
        var own = signer(SELF, ServiceRole.GATEWAY).prove(new Heartbeat(SELF, null, System.currentTimeMillis()));
        hears(SELF, own);
        // When
        for (int copies = 0; copies < 20; copies++) {
            hears(SELF, own);
        }
        // Then
        assertThat(fleet.ownBeats()).isOne();
    }

    private static Heartbeat beat(String worker) {
        return new Heartbeat(worker, MODEL, System.currentTimeMillis());
    }

    private static BeatSigner signer(String sender, ServiceRole role) {
        return new BeatSigner(sender, TestKeys.of(role));
    }

    private void hears(String key, byte @Nullable [] value) {
        beats.take(new ConsumerRecord<>(Topic.MODELS, 0, 0, key, value));
    }
}
