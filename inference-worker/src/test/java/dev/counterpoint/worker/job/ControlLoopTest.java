package dev.counterpoint.worker.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.Control;
import dev.counterpoint.bus.kafka.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Consumers over one log, which break when they are told to.
@Timeout(60)
class ControlLoopTest {
    private static final TopicPartition CONTROL = new TopicPartition(Topic.CONTROL, 0);

    private final BlockingQueue<Control> heard = new LinkedBlockingQueue<>();
    private final ArrayDeque<MockConsumer<String, byte[]>> consumers = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init")
    private ControlLoop loop;

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void hearsWhatIsSaidAfterItWasMadeAndNothingEarlier() throws Exception {
        // Given
        consumer(7);
        var second = consumer(9, 6, 7, 8);
        // When
        start();
        // Then
        assertThat(heardAttempts(2)).containsExactly(7, 8);
        assertThat(second.position(CONTROL)).isEqualTo(9);
    }

    @Test
    void missesNothingWhenItsConnectionBreaks() throws Exception {
        // Given
        consumer(7);
        var breaks = consumer(9, 7, 8);
        breaks.schedulePollTask(() -> {});
        breaks.schedulePollTask(() -> breaks.setPollException(new KafkaException("broken")));
        consumer(11, 7, 8, 9, 10);
        // When
        start();
        // Then
        assertThat(heardAttempts(4)).containsExactly(7, 8, 9, 10);
    }

    @Test
    void hearsEverythingThereIsWhenItsPlaceIsGone() throws Exception {
        // Given
        consumer(7);
        var lost = consumer(7);
        lost.schedulePollTask(() -> lost.setPollException(new OffsetOutOfRangeException(Map.of(CONTROL, 7L))));
        consumer(22, 20, 21);
        // When
        start();
        // Then
        assertThat(heardAttempts(2)).containsExactly(20, 21);
    }

    private void start() {
        loop = new ControlLoop(consumers::remove, heard::add);
        Thread.ofPlatform().daemon().start(loop);
    }

    /// A consumer of a log that ends at `end` and has a record, which stops attempts below its offset, at each of
    /// these.
    private MockConsumer<String, byte[]> consumer(long end, long... offsets) {
        var consumer = new MockConsumer<String, byte[]>("none");
        consumer.updateBeginningOffsets(Map.of(CONTROL, offsets.length == 0 ? 0 : offsets[0]));
        consumer.updateEndOffsets(Map.of(CONTROL, end));
        consumer.schedulePollTask(() -> {
            for (long offset : offsets) {
                var control = new Control(AttemptLog.RESPONSE, Math.toIntExact(offset));
                consumer.addRecord(new ConsumerRecord<>(Topic.CONTROL, 0, offset, "any", control.encode()));
            }
        });
        consumers.add(consumer);
        return consumer;
    }

    private List<Integer> heardAttempts(int count) throws InterruptedException {
        var attempts = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            var control = heard.poll(30, TimeUnit.SECONDS);
            attempts.add(control == null ? -1 : control.stopBefore());
        }
        return attempts;
    }
}
