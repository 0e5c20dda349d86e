package dev.counterpoint.audit.log;

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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
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

/// The topic `audit-log`, which holds the log outside the database ([PublishedLeaves]). A record with another
/// signature than this service's does not count. One thread at a time; [#published] is for all. Methods throw
/// [OutageException] within seconds when the bus does not answer.
@ApplicationScoped
class LogTopic {
    private static final Logger LOG = LoggerFactory.getLogger(LogTopic.class);
    private static final TopicPartition PARTITION = new TopicPartition(Topic.AUDIT_LOG, 0);
    private static final List<TopicPartition> PARTITIONS = List.of(PARTITION);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOOK_BACK = 64;

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

        AwayException(String message) {
            super(message);
        }
    }

    /// The checkpoint that was the last one when this replica looked.
    Optional<SignedNote> published() {
        return Optional.ofNullable(last);
    }

    /// The largest checkpoint among the last ones of the topic; empty when it has none.
    Optional<SignedNote> last() {
        return answered(asked -> {
            long now = offset(asked.endOffsets(PARTITIONS, ANSWER_MAX));
            if (now < end) {
                forget(); // the topic was made anew
            }
            if (now > end) {
                long begin = Math.max(end, offset(asked.beginningOffsets(PARTITIONS, ANSWER_MAX)));
                long from = now;
                for (long back = LOOK_BACK; from > begin && (last == null || from == now); back *= LOOK_BACK) {
                    from = Math.max(begin, now - back);
                    read(asked, from, now, this::take);
                }
                end = now;
            }
            return published();
        });
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        try {
            var found = PublishedLeaves.decode(KafkaClients.body(record))
                    .orElseThrow(() -> new InvalidLogException("no record of the log"));
            var known = last;
            if (signer.verified(found.note()).size() >= (known == null ? 0 : signer.verified(known).size())) {
                last = found.note();
            }
        } catch (InvalidLogException e) {
            LOG.warn("a record of the topic audit-log does not count offset={}", record.offset());
        }
    }

    /// Returns once the bus has the record on all replicas.
    void append(PublishedLeaves record) {
        try {
            long offset = producer.send(new ProducerRecord<>(Topic.AUDIT_LOG, 0, null, record.encode()))
                    .get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
            if (offset < end) {
                forget();
                throw new AwayException("the topic was made anew");
            }
            end = offset + 1;
            last = record.note();
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new AwayException("the bus does not take the log");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AwayException("interrupted");
        }
    }

    private void forget() {
        end = 0;
        last = null;
    }

    /// Hands on all records of the topic in their order, also those that a retired key signed: nothing is verified.
    void all(Consumer<PublishedLeaves> taker) {
        answered(asked -> {
            long begin = offset(asked.beginningOffsets(PARTITIONS, ANSWER_MAX));
            read(asked, begin, offset(asked.endOffsets(PARTITIONS, ANSWER_MAX)), record -> PublishedLeaves.decode(
                            KafkaClients.body(record))
                    .ifPresent(taker));
            return true;
        });
    }

    private static long offset(Map<TopicPartition, Long> offsets) {
        return Objects.requireNonNull(offsets.get(PARTITION));
    }

    private static void read(
            KafkaConsumer<String, byte[]> asked,
            long from,
            long to,
            Consumer<ConsumerRecord<String, byte[]>> taker) {
        asked.seek(PARTITION, from);
        long heard = System.nanoTime();
        while (asked.position(PARTITION, ANSWER_MAX) < to) {
            var records = asked.poll(POLL);
            heard = records.isEmpty() ? heard : System.nanoTime();
            if (System.nanoTime() - heard > ANSWER_MAX.toNanos()) {
                throw new KafkaException("no records within " + ANSWER_MAX);
            }
            records.forEach(taker);
        }
    }

    private <T> T answered(Function<KafkaConsumer<String, byte[]>, T> question) {
        try {
            return question.apply(opened());
        } catch (KafkaException e) {
            closeReader();
            LOG.debug("the topic audit-log does not answer cause={}", e.getClass().getSimpleName());
            throw new AwayException("the topic does not answer");
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
            open.assign(PARTITIONS);
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
