package dev.counterpoint.gateway.erasure;

import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.seal.SignedErase;
import dev.counterpoint.bus.wire.MalformedMessageException;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Dependent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the erasures of the topic `audit-log`. Its other records are checkpoints of the audit log, which have no key.
/// One thread at a time.
@Dependent
class EraseTopic {
    private static final Logger LOG = LoggerFactory.getLogger(EraseTopic.class);
    private static final TopicPartition PARTITION = new TopicPartition(Topic.AUDIT_LOG, 0);
    private static final List<TopicPartition> ALONE = List.of(PARTITION);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final KafkaClients clients;
    private final Signatures signatures;
    private @Nullable KafkaConsumer<String, byte[]> reader;

    EraseTopic(KafkaClients clients, KeyRing keys) {
        this.clients = clients;
        signatures = keys.signatures();
    }

    @PreDestroy
    void close() {
        var open = reader;
        if (open != null) {
            open.close(CloseOptions.timeout(Duration.ZERO));
            reader = null;
        }
    }

    /// @param next offset of the next record
    /// @param more whether there are more
    record Part(List<Erase> erasures, long next, boolean more) {}

    /// The erasures among the next records. Records that the audit service did not sign are none.
    ///
    /// @throws KafkaException when the bus does not answer
    Part read(long from) {
        try {
            return read(opened(), from);
        } catch (KafkaException e) {
            close();
            throw e;
        }
    }

    private Part read(KafkaConsumer<String, byte[]> open, long from) {
        long end = offset(open.endOffsets(ALONE, ANSWER_MAX).get(PARTITION));
        long first = offset(open.beginningOffsets(ALONE, ANSWER_MAX).get(PARTITION));
        if (from > end) {
            LOG.warn("the topic audit-log is shorter than what was read of it, so it is read again from={}", from);
        }
        long next = from > end ? first : Math.max(first, from);
        var found = new ArrayList<Erase>();
        if (next < end) {
            open.seek(PARTITION, next);
            open.poll(POLL).forEach(record -> take(record, found));
            next = open.position(PARTITION, ANSWER_MAX);
        }
        return new Part(found, next, next < end);
    }

    private static long offset(@Nullable Long found) {
        return Objects.requireNonNull(found, "a partition that was asked for");
    }

    private void take(ConsumerRecord<String, byte[]> record, List<Erase> found) {
        if (!Erase.KEY.equals(record.key())) {
            return;
        }
        try {
            found.add(SignedErase.verified(KafkaClients.body(record), signatures));
        } catch (SealException | MalformedMessageException e) {
            LOG.warn("a record of the topic audit-log is no erasure of the audit service offset={}", record.offset());
        }
    }

    private KafkaConsumer<String, byte[]> opened() {
        var open = reader;
        if (open == null) {
            open = clients.historyReader();
            open.assign(ALONE);
            reader = open;
        }
        return open;
    }
}
