package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.BeatVerifier;
import dev.counterpoint.bus.testkit.TestKeys;
import java.time.Duration;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class HeartbeatPublisherTest {
    private static final String SELF = "gateway-1";
    private static final Heartbeat BEAT = new Heartbeat(SELF, null, 1_000);

    private final MockProducer<String, byte[]> bus =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    private final HeartbeatPublisher heartbeats =
            new HeartbeatPublisher(bus, new BeatSigner(SELF, TestKeys.of(ServiceRole.GATEWAY)));

    @Test
    void heartbeatsDoNotGatherWhileTheBusIsAway() {
        // When
        for (int i = 0; i < 20; i++) {
            heartbeats.publish(BEAT);
        }
        // Then
        assertThat(bus.history()).hasSize(1);
    }

    @Test
    void theNextOneGoesOutWhenTheLastOneArrivedOrWasLost() {
        // Given
        heartbeats.publish(BEAT);
        bus.completeNext();
        heartbeats.publish(BEAT);
        bus.errorNext(new TimeoutException("lost"));
        // When
        heartbeats.publish(BEAT);
        // Then
        assertThat(bus.history()).hasSize(3);
    }

    @Test
    @SuppressWarnings("NullAway")
    void oneThatCannotBeSentStopsNoLaterOne() {
        // Given
        bus.sendException = new KafkaException("away");
        assertThatThrownBy(() -> heartbeats.publish(BEAT)).isInstanceOf(KafkaException.class);
        bus.sendException = null;
        // When
        heartbeats.publish(BEAT);
        // Then
        assertThat(bus.history()).hasSize(1);
    }

    @Test
    void theBusAnswersOnceItTookOne() {
        // Given
        heartbeats.publish(BEAT);
        bus.errorNext(new TimeoutException("lost"));
        assertThat(heartbeats.busAnswers(Duration.ofMinutes(1))).isFalse();
        assertThat(heartbeats.wasHeard()).isFalse();
        heartbeats.publish(BEAT);
        // When
        bus.completeNext();
        // Then
        assertThat(heartbeats.busAnswers(Duration.ofMinutes(1))).isTrue();
        assertThat(heartbeats.wasHeard()).isTrue();
    }

    @Test
    void leavingIsSaidAndThenRemovesWhatTheSenderSaid() {
        // Given
        heartbeats.publish(BEAT);
        // When
        heartbeats.leave();
        // Then
        assertThat(bus.history()).extracting(ProducerRecord::key).containsOnly(SELF);
        var verifier = new BeatVerifier(TestKeys.of(ServiceRole.GATEWAY));
        var said = bus.history().stream().map(ProducerRecord::value).toList();
        assertThat(said).hasSize(3).last().isNull();
        assertThat(verifier.verify(said.get(0), 1_000).orElseThrow().leaves()).isFalse();
        assertThat(verifier.verify(said.get(1), 1_000).orElseThrow().leaves()).isTrue();
    }
}
