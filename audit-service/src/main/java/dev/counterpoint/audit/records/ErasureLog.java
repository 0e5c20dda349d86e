package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.servicekit.OutageException;
import dev.counterpoint.servicekit.PollLoop;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The erasures in the topic `erasures`, because an older, restored database does not know them. The service reads the
/// topic whole at the start and follows it; it holds a few hundred bytes each in memory. Thread-safe.
@Startup
@ApplicationScoped
public class ErasureLog {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureLog.class);
    private static final long ANSWER_MILLIS_MAX = 5_000;
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final TopicPartition PARTITION = new TopicPartition(Topic.ERASURES, 0);

    private final KeyService root;
    private final Admin admin;
    private final KafkaProducer<String, byte[]> producer;
    private final PollLoop loop;
    private final Map<String, LoggedErasure> entries = new ConcurrentHashMap<>();
    /// By id, the version of the root that sealed the last record of an erasure.
    private final Map<String, String> versions = new ConcurrentHashMap<>();
    /// By tenant and subject, the time of the last erasure.
    private final Map<String, Instant> subjects = new ConcurrentHashMap<>();
    private volatile long readTo;
    private volatile boolean current;
    private volatile boolean closed;

    ErasureLog(KafkaClients clients, KeyService root, Admin admin) {
        this.root = root;
        this.admin = admin;
        producer = clients.patientProducer();
        loop = PollLoop.fromBeginning(clients::tailReader, Topic.ERASURES, this::take);
        loop.start();
    }

    @PreDestroy
    void close() {
        closed = true;
        loop.close();
        producer.close(Duration.ZERO);
    }

    /// Not all erasures are known yet, so nothing is stored and nothing shown.
    static final class NotReadYetException extends OutageException {
        private static final long serialVersionUID = 1;

        NotReadYetException(String message) {
            super(message);
        }
    }

    /// True once the database knows every erasure that the log held at the start.
    public boolean current() {
        return current;
    }

    /// @throws OutageException until [#current]
    public void requireCurrent() {
        if (!current) {
            throw new NotReadYetException("the erasures are not read yet");
        }
    }

    /// Called when the database has taken over everything that the log held when [#readToItsEnd] was true.
    void nowCurrent() {
        current = true;
    }

    /// True when everything that the topic holds now was read.
    boolean readToItsEnd() {
        long end = offset(OffsetSpec.latest());
        return readTo >= end || offset(OffsetSpec.earliest()) == end;
    }

    private long offset(OffsetSpec which) {
        try {
            return admin.listOffsets(Map.of(PARTITION, which))
                    .partitionResult(PARTITION)
                    .get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS)
                    .offset();
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("the erasures' topic does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /// Waits for an erasure that cannot be opened now, so that none is lost while a token does not answer.
    private void take(ConsumerRecord<String, byte[]> record) {
        var id = String.valueOf(record.key());
        var sealed = KafkaClients.body(record);
        try {
            while (!closed) {
                try {
                    keep(LoggedErasure.decode(id, sealed, root), sealed);
                    return;
                } catch (KeyService.UnavailableException e) {
                    if (!root.describe().reads(sealed)) {
                        versions.putIfAbsent(id, KeyService.Version.header(sealed));
                        LOG.warn("erasure of a root key that is not here is passed over offset={}", record.offset());
                        return;
                    }
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        } finally {
            readTo = record.offset() + 1;
        }
    }

    private void keep(LoggedErasure entry, byte[] sealed) {
        entries.put(entry.id(), entry);
        versions.put(entry.id(), KeyService.Version.header(sealed));
        subjects.merge(
                name(entry.tenant(), entry.subjectToken()),
                entry.at(),
                (one, other) -> one.isAfter(other) ? one : other);
    }

    byte[] seal(LoggedErasure entry) {
        return entry.encode(root);
    }

    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when this service did not seal it under this id
    LoggedErasure open(String id, byte[] sealed) {
        return LoggedErasure.decode(id, sealed, root);
    }

    /// Returns once the bus has the entry on all replicas.
    ///
    /// @param sealed of [#seal]
    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when this service did not seal it under this id
    /// @throws OutageException when the bus does not confirm it; the bus may have it nevertheless
    void append(String id, byte[] sealed) {
        var entry = open(id, sealed);
        try {
            producer.send(new ProducerRecord<>(Topic.ERASURES, id, sealed))
                    .get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            LOG.warn("erasure is not appended cause={}", cause.getClass().getSimpleName());
            throw new NotReadYetException("the bus does not take the erasure");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReadYetException("interrupted");
        }
        keep(entry, sealed);
    }

    /// By id of the erasure, the version of the root that sealed its last record.
    Map<String, String> versions() {
        return Map.copyOf(versions);
    }

    /// All that were read.
    List<LoggedErasure> entries() {
        return List.copyOf(entries.values());
    }

    boolean holds(String id) {
        return entries.containsKey(id);
    }

    /// True when an erasure of the subject, or of the tenant, came after the response was accepted.
    boolean names(String tenant, byte[] subjectToken, Instant acceptedAt) {
        return Stream.of(subjectToken, LoggedErasure.EVERYBODY)
                .map(token -> subjects.get(name(tenant, token)))
                .anyMatch(at -> at != null && !acceptedAt.isAfter(at));
    }

    private static String name(String tenant, byte[] subjectToken) {
        return HexFormat.of().formatHex(subjectToken) + " " + tenant;
    }
}
