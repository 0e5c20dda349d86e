package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.worker.attempt.FrameSender;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/// The connections to the bus that all jobs of this worker share. Thread-safe.
final class WorkerBus {
    private static final long APPEND_TIMEOUT_SECONDS = 11;
    /// Longer than a gateway waits for its frame 0: after that it withdraws the response.
    private static final Duration ACCEPTED_WITHIN = Duration.ofSeconds(12);

    private static final int FEW = 4;
    private static final int MANY = 32;
    private static final Duration GATHERING_OF_SOME = Duration.ofMillis(2);
    private static final Duration GATHERING_OF_MANY = Duration.ofMillis(5);

    private final FrameSender sender;
    private final LogReads reads;
    private final LogSearch log;

    /// @param claimed how many jobs this worker has now
    WorkerBus(KafkaClients clients, IntSupplier claimed) {
        this(
                new FrameSender(
                        clients.patientProducer(),
                        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                                .name("frame-sender")
                                .daemon()
                                .factory()),
                        () -> gathering(claimed.getAsInt())),
                new LogReads(clients::replayReader),
                ACCEPTED_WITHIN);
    }

    WorkerBus(FrameSender sender, LogReads reads, Duration acceptedWithin) {
        this.sender = sender;
        this.reads = reads;
        log = new LogSearch(reads, acceptedWithin);
    }

    /// A lone stream's tokens are sent immediately; with more streams, one request carries more tokens.
    private static Duration gathering(int claimed) {
        if (claimed < FEW) {
            return Duration.ZERO;
        }
        return claimed < MANY ? GATHERING_OF_SOME : GATHERING_OF_MANY;
    }

    /// Appends one record and waits until the broker has it.
    ///
    /// @return the record's offset
    long append(ProducerRecord<String, byte[]> record)
            throws InterruptedException, ExecutionException, TimeoutException {
        return offset(send(record));
    }

    /// Appends one record without waiting.
    Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
        return sender.send(record);
    }

    /// Waits until the broker has a record.
    static long offset(Future<RecordMetadata> sent) throws InterruptedException, ExecutionException, TimeoutException {
        return sent.get(APPEND_TIMEOUT_SECONDS, TimeUnit.SECONDS).offset();
    }

    /// The way of all records of this worker's attempts.
    FrameSender sender() {
        return sender;
    }

    LogSearch log() {
        return log;
    }

    /// @param atMost for the records that are under way
    void close(Duration atMost) {
        sender.close(atMost);
        reads.close();
    }
}
