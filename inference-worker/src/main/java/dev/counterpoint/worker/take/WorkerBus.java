package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.worker.attempt.TokenProducers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/// The connections to the bus that all jobs of this worker share. Thread-safe.
final class WorkerBus {
    private static final long APPEND_TIMEOUT_SECONDS = 11;
    /// The log that is kept while jobs keep coming: some seconds of some hundred answers.
    private static final long LOG_BYTES_MAX = 32L << 20;

    private final KafkaClients clients;
    private final TokenProducers producers;
    private final LogFetcher log;

    WorkerBus(KafkaClients clients) {
        this.clients = clients;
        producers = new TokenProducers(clients);
        log = new LogFetcher(new LogReader.Sources(clients::historyReader, clients::recordReader), LOG_BYTES_MAX);
    }

    /// A new consumer of a queue's share group; the caller closes it.
    KafkaShareConsumer<String, byte[]> shareConsumer(JobConsumer.Queue queue) {
        return clients.jobTaker(queue.group(), queue.taker().clientId());
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
        return producers.prompt().send(record);
    }

    /// Waits until the broker has a record.
    static long offset(Future<RecordMetadata> sent) throws InterruptedException, ExecutionException, TimeoutException {
        return sent.get(APPEND_TIMEOUT_SECONDS, TimeUnit.SECONDS).offset();
    }

    /// The producer for all frames of an attempt that begins now.
    ///
    /// @param claimed jobs of this worker, this one among them
    Producer<String, byte[]> producer(int claimed) {
        return producers.forLoad(claimed);
    }

    LogFetcher log() {
        return log;
    }

    /// @param atMost for the records that are under way
    void close(Duration atMost) {
        producers.close(atMost);
        log.close();
    }
}
