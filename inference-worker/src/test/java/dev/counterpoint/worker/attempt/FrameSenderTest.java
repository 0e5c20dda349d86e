package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FrameSenderTest {
    private static final Callback NOBODY = (_, _) -> {};

    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    private final ScheduledExecutorService sending = Executors.newSingleThreadScheduledExecutor();
    private final FrameSender patient = new FrameSender(producer, sending, () -> Duration.ofHours(1));
    private final FrameSender hasty = new FrameSender(producer, sending, () -> Duration.ZERO);

    @AfterEach
    void stop() {
        sending.shutdownNow();
    }

    @Test
    void whatSomebodyWaitsForTakesAlongWhatGathersBeforeIt() {
        // Given
        patient.append(record("first"), NOBODY);
        patient.append(record("second"), NOBODY);
        settle();
        assertThat(producer.history()).isEmpty();
        // When
        patient.send(record("third"));
        settle();
        // Then
        assertThat(producer.history()).extracting(ProducerRecord::key).containsExactly("first", "second", "third");
    }

    @Test
    void thereIsNoRoomWhileTheBrokerOwesAnswersForEightMegabytes() {
        // When
        hasty.append(new ProducerRecord<>("frames", 0, "large", new byte[8 << 20]), NOBODY);
        settle();
        // Then
        assertThat(hasty.hasRoom()).isFalse();
        // When
        producer.completeNext();
        // Then
        assertThat(hasty.hasRoom()).isTrue();
    }

    @Test
    void aRecordThatIsNotTakenFailsForWhoeverWaits() {
        // Given
        producer.sendException = new KafkaException("refused");
        // When
        var sent = hasty.send(record("lost"));
        // Then
        assertThatThrownBy(sent::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(KafkaException.class);
        assertThat(hasty.hasRoom()).isTrue();
    }

    @Test
    void whatComesAfterTheCloseFails() {
        // Given
        hasty.close(Duration.ofSeconds(1));
        // When
        var sent = hasty.send(record("late"));
        // Then
        assertThatThrownBy(sent::get).hasCauseInstanceOf(KafkaException.class);
    }

    private void settle() {
        try {
            sending.submit(() -> {}).get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ProducerRecord<String, byte[]> record(String key) {
        return new ProducerRecord<>("frames", 0, key, new byte[] {1});
    }
}
