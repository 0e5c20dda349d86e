package dev.counterpoint.audit.log;

import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.servicekit.OutageException;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.SignedNote;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The topic `audit-log`, which holds the log outside the database ([PublishedLeaves]). A record without a
/// signature of this service does not count, nor does one with a key: it is an order to gateways
/// ([dev.counterpoint.bus.audit.Erase]). One thread at a time; [#published] is for all. Methods throw
/// [OutageException] within seconds when the bus does not answer.
@ApplicationScoped
class LogTopic {
    private static final Logger LOG = LoggerFactory.getLogger(LogTopic.class);
    private static final TopicPartition PARTITION = new TopicPartition(Topic.AUDIT_LOG, 0);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(100);
    /// More foreign records than this at the end of the topic hide the log.
    private static final int LOOK_BACK = 256;

    private final KafkaClients clients;
    private final Admin admin;
    private final LogSigner signer;
    private final KafkaProducer<String, byte[]> producer;
    private @Nullable KafkaConsumer<String, byte[]> reader;
    /// Offset after the last record that was looked at.
    private long end;
    private volatile @Nullable SignedNote last;

    LogTopic(KafkaClients clients, Admin admin, LogSigner signer) {
        this.clients = clients;
        this.admin = admin;
        this.signer = signer;
        producer = clients.patientProducer();
    }

    @PreDestroy
    void close() {
        closeReader();
        producer.close(Duration.ZERO);
    }

    /// The topic cannot be read or written.
    static final class AwayException extends OutageException {
        private static final long serialVersionUID = 1;

        AwayException() {
            super("the topic audit-log does not answer");
        }
    }

    private interface Question<T> {
        T ask(KafkaConsumer<String, byte[]> open) throws ExecutionException, InterruptedException, TimeoutException;
    }

    /// The largest checkpoint that this replica knows of.
    Optional<SignedNote> published() {
        return Optional.ofNullable(last);
    }

    /// The largest checkpoint among the last records; empty when the topic has none.
    ///
    /// @throws LogFaultException when they are all of others
    Optional<SignedNote> last() {
        return answered(open -> {
            long now = end(open);
            if (now < end) {
                forget();
            }
            if (now > end) {
                readNewest(open, now);
                if (last == null) {
                    throw new LogFaultException("forked", 0);
                }
                end = now;
            }
            return published();
        });
    }

    /// Orders to gateways hide no checkpoint, however many they are.
    private void readNewest(KafkaConsumer<String, byte[]> open, long now) {
        var orders = new AtomicBoolean();
        long to = now;
        do {
            orders.set(false);
            long from = Math.max(end, to - LOOK_BACK);
            read(open, from, to, record -> {
                orders.compareAndSet(false, Erase.KEY.equals(record.key()));
                take(record);
            });
            to = from;
        } while (last == null && orders.get() && to > end);
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        if (record.key() != null) {
            return;
        }
        try {
            var note = PublishedLeaves.decode(KafkaClients.body(record)).note();
            long size = signer.verified(note).size();
            if (last == null || size >= signer.verified(last).size()) {
                last = note;
            }
        } catch (InvalidLogException e) {
            LOG.warn("a record of the topic audit-log does not count offset={}", record.offset());
        }
    }

    /// Returns once the bus has the record on all replicas.
    void append(PublishedLeaves record) {
        var sent = new ProducerRecord<String, byte[]>(Topic.AUDIT_LOG, 0, null, record.encode());
        long offset = answered(_ -> producer.send(sent)
                .get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .offset());
        if (offset < end) {
            forget();
            throw new AwayException();
        }
        end = offset + 1;
        last = record.note();
    }

    /// The topic was made anew.
    private void forget() {
        end = 0;
        last = null;
    }

    /// Returns all records of the topic in order, unverified, also those signed by retired keys.
    void all(Consumer<PublishedLeaves> taker) {
        answered(open -> {
            read(open, 0, end(open), record -> {
                if (record.key() != null) {
                    return;
                }
                try {
                    taker.accept(PublishedLeaves.decode(KafkaClients.body(record)));
                } catch (InvalidLogException e) {
                    LOG.debug("a record of others offset={}", record.offset());
                }
            });
            return true;
        });
    }

    private static long end(KafkaConsumer<String, byte[]> open) {
        return Objects.requireNonNull(
                open.endOffsets(List.of(PARTITION), ANSWER_MAX).get(PARTITION));
    }

    private static void read(
            KafkaConsumer<String, byte[]> open, long from, long to, Consumer<ConsumerRecord<String, byte[]>> taker) {
        open.seek(PARTITION, from);
        long heard = System.nanoTime();
        while (open.position(PARTITION, ANSWER_MAX) < to) {
            var records = open.poll(POLL);
            heard = records.isEmpty() ? heard : System.nanoTime();
            if (System.nanoTime() - heard > ANSWER_MAX.toNanos()) {
                throw new AwayException();
            }
            records.forEach(taker);
        }
    }

    private <T> T answered(Question<T> question) {
        try {
            return question.ask(opened());
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            closeReader();
            throw new AwayException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AwayException();
        }
    }

    private KafkaConsumer<String, byte[]> opened() {
        var open = reader;
        if (open == null) {
            open = clients.historyReader();
            reader = open;
            if (open.partitionsFor(Topic.AUDIT_LOG, ANSWER_MAX).isEmpty()) {
                new Topics(admin).ensureShared(Topic.FRAMES_PER_GATEWAY);
            }
            open.assign(List.of(PARTITION));
        }
        return open;
    }

    private void closeReader() {
        var open = reader;
        if (open != null) {
            open.close(CloseOptions.timeout(Duration.ZERO));
            reader = null;
        }
    }
}
