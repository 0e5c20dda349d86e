package dev.counterpoint.audit.records;

import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes content and person of records whose retention has ended, and their keys; an event of each batch lists the
/// leaves. What a hold covers stays, and so does everything of a tenant whose holds are not known for sure.
@ApplicationScoped
public class RetentionPurge {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionPurge.class);
    private static final int BATCHES_MAX = 10_000;
    private static final String TENANTS =
            "select distinct r.tenant from RecordRow r where r.content is not null and r.acceptedAt < ?1";
    private static final String DUE =
            "tenant = ?1 and acceptedAt < ?2 and key %s ?3 and seq > ?4 and content is not null and logIndex >= 0"
                    + " order by seq";
    private static final String KEPT_KEYS =
            "select distinct r.dataKeyId from RecordRow r where r.dataKeyId in ?1 and r.content is not null";

    private final RetentionClasses classes;
    private final RecordRepository records;
    private final ErasureStore erasures;
    private final ErasedPersons persons;
    private final EventStore events;
    private final HoldStore holds;
    private final EnvelopeKeys keys;
    private final TransactionRole role;
    private final KeyTableVacuum vacuum;
    private final Sequencer sequencer;

    RetentionPurge(
            RetentionClasses classes,
            RecordRepository records,
            ErasureStore erasures,
            ErasedPersons persons,
            EventStore events,
            HoldStore holds,
            EnvelopeKeys keys,
            TransactionRole role,
            KeyTableVacuum vacuum,
            Sequencer sequencer) {
        this.classes = classes;
        this.records = records;
        this.erasures = erasures;
        this.persons = persons;
        this.events = events;
        this.holds = holds;
        this.keys = keys;
        this.role = role;
        this.vacuum = vacuum;
        this.sequencer = sequencer;
    }

    @Scheduled(every = "24h", delayed = "10m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void run() {
        purge(Instant.now());
    }

    /// @param now the time at which retention is judged
    public void purge(Instant now) {
        try {
            erasures.requireKnown();
            var tenants = tenants(now);
            for (var tenant : tenants) {
                classes.groups(tenant)
                        .forEach(group ->
                                purge(tenant, group, now.minus(group.one().max())));
            }
            if (!tenants.isEmpty()) {
                vacuum.rewriteAll();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("retention is purged later cause={}", SafeStackTrace.name(e));
        }
    }

    /// Those whose records may be due.
    private List<String> tenants(Instant now) {
        return classes.shortest()
                .map(max -> QuarkusTransaction.requiringNew().call(() -> {
                    role.staff(TransactionRole.EVERY_TENANT);
                    return records.getEntityManager()
                            .createQuery(TENANTS, String.class)
                            .setParameter(1, now.minus(max))
                            .getResultList();
                }))
                .orElse(List.of());
    }

    private void purge(String tenant, RetentionClasses.Group group, Instant before) {
        long from = 0;
        for (int batch = 0; batch < BATCHES_MAX && from >= 0; batch++) {
            long after = from;
            from = QuarkusTransaction.requiringNew().call(() -> batch(tenant, group, before, after));
            sequencer.publish(); // verifiers miss the persons until then
        }
    }

    /// @param after order of the last record of the batch before
    /// @return where the next batch begins, below 0 for none
    private long batch(String tenant, RetentionClasses.Group group, Instant before, long after) {
        role.erasing(tenant);
        if (after == 0 && holds.uncertainty(tenant).isPresent()) {
            LOG.error("nothing is purged, because events are missing tenant={}", tenant);
            return -1;
        }
        var old = records.find(DUE.formatted(group.of() ? "in" : "not in"), tenant, before, group.keys(), after)
                .range(0, ErasedPersons.BATCH - 1)
                .list();
        long last = old.size() == ErasedPersons.BATCH ? old.getLast().seq : -1;
        var held = holds.active(tenant);
        var due = old.stream()
                .filter(row -> held.stream().noneMatch(hold -> hold.keeps(row)))
                .toList();
        if (!due.isEmpty()) {
            purge(tenant, group.one().name(), due);
        }
        return last;
    }

    private void purge(String tenant, String retention, List<RecordRow> due) {
        var responses = due.stream().map(row -> row.response).distinct().toList();
        var about = events.verified("personal is not null and tenant = ?1 and response in ?2", tenant, responses);
        var tokens = due.stream()
                .map(row -> row.subjectToken)
                .filter(Objects::nonNull)
                .toList();
        var purged = StaffAccess.of("audit-service", Action.RECORDS_PURGED, Outcome.GRANTED)
                .about(tenant, null, null)
                .with(due.size(), "class=" + retention);
        persons.takeOut(purged, new ErasedPersons.Traces(due, about, false));
        records.update(
                "content = null where id in ?1", due.stream().map(row -> row.id).toList());
        var unused = due.stream().map(row -> row.dataKeyId).collect(Collectors.toSet());
        unused.removeAll(records.getEntityManager()
                .createQuery(KEPT_KEYS, String.class)
                .setParameter(1, unused)
                .getResultList());
        if (!unused.isEmpty() && !tokens.isEmpty()) {
            keys.destroy(tokens, unused);
        }
    }
}
