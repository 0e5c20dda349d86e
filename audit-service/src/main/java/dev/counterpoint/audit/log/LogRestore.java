package dev.counterpoint.audit.log;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.auditlog.Leaf;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.TileLogWriter;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets a restored database continue: it takes its missing leaves from the topic, and an event lists the lost rows.
/// This works once, because the operator names the number of leaves, which grows from then on.
@ApplicationScoped
class LogRestore {
    private static final Logger LOG = LoggerFactory.getLogger(LogRestore.class);

    private final LogTables tables;
    private final LogTopic topic;
    private final LogSigner signer;
    private final EventStore events;
    private final OptionalLong agreed;

    LogRestore(LogTables tables, LogTopic topic, LogSigner signer, EventStore events, AuditConfig config) {
        this.tables = tables;
        this.topic = topic;
        this.signer = signer;
        this.events = events;
        agreed = config.logRestoredTo();
    }

    /// Brings the database from its checkpoint to the published one.
    ///
    /// @throws LogFaultException when no operator agreed to that, or the topic does not continue the database
    Checkpoint restored(Checkpoint head, Checkpoint last) {
        if (agreed.isEmpty() || agreed.getAsLong() != last.size()) {
            throw new LogFaultException("rolled_back", last.size());
        }
        var log = new TileLogWriter(head, tables);
        var counts = new HashMap<String, Leaf.Count>();
        topic.all(record -> {
            long size = log.checkpoint().size();
            long first = record.end() - record.leaves().size();
            if (first <= size && size < record.end()) {
                var lost = record.leaves()
                        .subList((int) (size - first), record.leaves().size());
                tables.append(size, lost);
                log.append(lost);
                for (int i = 0; i < lost.size(); i++) {
                    count(lost.get(i), size + i, counts);
                }
            }
        });
        if (!log.checkpoint().equals(last)) {
            throw new LogFaultException("forked", last.size());
        }
        tables.keepCounts(counts);
        tables.publish(signer.sign(last));
        var members = Map.<String, Object>of(
                "action",
                EventStore.RESTORED,
                "actor",
                "audit-service",
                "at",
                RowTime.now().toEpochMilli(),
                "from",
                head.size(),
                "outcome",
                "granted",
                "source",
                "audit",
                "to",
                last.size());
        events.append(UUID.randomUUID().toString(), members, new TreeMap<>());
        LOG.warn("the database was restored, rows of the log are lost from={} to={}", head.size(), last.size());
        return last;
    }

    private static void count(byte[] leaf, long index, Map<String, Leaf.Count> counts) {
        Leaf.read(leaf).ifPresent(read -> {
            var tenant = read.tenant();
            if (tenant != null) {
                counts.put(tenant, read.before().next(index));
            }
        });
    }
}
