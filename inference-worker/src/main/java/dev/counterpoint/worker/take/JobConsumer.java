package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.worker.attempt.AttemptSpans;
import dev.counterpoint.worker.attempt.CapacityGate;
import dev.counterpoint.worker.attempt.WorkerMetrics;
import dev.counterpoint.worker.queue.QueueTaker;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the jobs of one queue: takes one while there is a permit, has the attempt started, and acknowledges the
/// job. From the acknowledgement on the log tracks the attempt; before it, the queue gives the job to another
/// worker. One thread.
///
/// Kafka's share consumer that asked an empty queue goes on asking by itself: the next job comes to it whether
/// there is still a permit or not. So a band asks in its turn and with a permit in hand; once it has asked in
/// vain, it hands the permit back and listens. A job that comes then and finds no permit goes back to the queue at
/// once, and the band is in line for the next permit: no job waits here while another worker has a permit for it.
final class JobConsumer extends QueueTaker {
    private static final Logger LOG = LoggerFactory.getLogger(JobConsumer.class);
    private static final Duration POLL = Duration.ofMillis(250);
    /// Within this an answer about a queue that has jobs should be here.
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Queue queue;
    private final WorkerBus bus;
    private final CapacityGate gate;
    private final AttemptStarter starter;
    private final WorkerMetrics metrics;

    /// One queue of this worker's model.
    ///
    /// @param group the share group of the model's workers
    /// @param places says whether a further consumer of this worker may be in the group; null for its first one
    record Queue(
            Topic.Band band,
            String topic,
            String group,
            @Nullable TakerPlaces places) {
        Queue(Topic.Band band, String topic, String group) {
            this(band, topic, group, null);
        }

        Queue further(TakerPlaces places) {
            return new Queue(band, topic, group, places);
        }

        TakerPlaces.Taker taker() {
            return places == null ? TakerPlaces.Taker.FIRST : TakerPlaces.Taker.FURTHER;
        }

        boolean hasPlace() {
            return places == null || places.free();
        }
    }

    JobConsumer(Queue queue, WorkerBus bus, CapacityGate gate, AttemptStarter starter, WorkerMetrics metrics) {
        super(queue.topic(), queue.group(), RETRY);
        this.queue = queue;
        this.bus = bus;
        this.gate = gate;
        this.starter = starter;
        this.metrics = metrics;
    }

    @Override
    protected boolean hasPlace() {
        return queue.hasPlace();
    }

    @Override
    protected KafkaShareConsumer<String, byte[]> open() {
        return bus.shareConsumer(queue);
    }

    @Override
    protected void take(KafkaShareConsumer<String, byte[]> consumer) throws InterruptedException {
        var band = queue.band();
        boolean listening = false;
        while (!isClosed() && hasPlace()) {
            var permit = listening ? null : gate.tryAcquire(band, POLL);
            if (permit != null || listening) {
                listening = !takeNext(consumer, permit);
            }
        }
    }

    /// @param held the permit for it; null while listening
    /// @return whether there was a job
    private boolean takeNext(KafkaShareConsumer<String, byte[]> consumer, CapacityGate.@Nullable Permit held)
            throws InterruptedException {
        var records = ConsumerRecords.<String, byte[]>empty();
        try {
            records = consumer.poll(held == null ? POLL : LOOK);
        } finally {
            if (records.isEmpty() && held != null) {
                held.close();
            }
        }
        for (var record : records) {
            var answer = AcknowledgeType.RELEASE;
            try {
                var permit = held == null ? gate.tryAcquire(queue.band()) : held;
                answer = permit == null ? giveBack(record) : take(record, permit);
            } finally {
                consumer.acknowledge(record, answer);
                consumer.commitAsync();
            }
        }
        return !records.isEmpty();
    }

    /// A copy goes to the end of the queue. To release the record would count as a delivery, and after a few of
    /// these the queue drops it; a copy counts anew, and a job that is there twice costs a read.
    private AcknowledgeType giveBack(ConsumerRecord<String, byte[]> record) throws InterruptedException {
        metrics.returned();
        try {
            var copy = new ProducerRecord<>(record.topic(), record.key(), record.value());
            AttemptSpans.copy(record, copy);
            bus.append(copy);
            return AcknowledgeType.ACCEPT;
        } catch (ExecutionException | TimeoutException | KafkaException | IllegalStateException e) {
            // The bus is away, or this worker has closed its connection.
            return AcknowledgeType.RELEASE;
        }
    }

    private AcknowledgeType take(ConsumerRecord<String, byte[]> record, CapacityGate.Permit permit)
            throws InterruptedException {
        if (isClosed()) {
            permit.close();
            return giveBack(record);
        }
        try {
            starter.take(record, AttemptStarter.Way.QUEUE, permit);
            // Forged ones too: to reject one would make a dead letter of a job that may be somebody's.
            return AcknowledgeType.ACCEPT;
        } catch (MalformedMessageException | SealException e) {
            return AcknowledgeType.REJECT;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.warn(
                    "job goes back to the queue offset={} cause={}",
                    record.offset(),
                    e.getClass().getSimpleName());
            return AcknowledgeType.RELEASE;
        } catch (RuntimeException e) {
            if (isClosed()) {
                // The job failed because this worker's connections are closed already.
                return AcknowledgeType.RELEASE;
            }
            // One job that hits a mistake of ours must not end the taking of all others.
            LOG.error("job failed topic={} offset={}", record.topic(), record.offset(), e);
            return AcknowledgeType.REJECT;
        }
    }
}
