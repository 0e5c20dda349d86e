package dev.counterpoint.audit.records;

import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
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
    private static final String OLD = "content is not null and acceptedAt < ?1";
    private static final String TENANTS = "select distinct r.tenant from RecordRow r where r." + OLD;
    private static final String OLD_OF_TENANT = OLD + " and tenant = ?2 and logIndex >= 0 and seq > ?3 order by seq";
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

    RetentionPurge(
            RetentionClasses classes,
            RecordRepository records,
            ErasureStore erasures,
            ErasedPersons persons,
            EventStore events,
            HoldStore holds,
            EnvelopeKeys keys,
            TransactionRole role,
            KeyTableVacuum vacuum) {
        this.classes = classes;
        this.records = records;
        this.erasures = erasures;
        this.persons = persons;
        this.events = events;
        this.holds = holds;
        this.keys = keys;
        this.role = role;
        this.vacuum = vacuum;
    }

    @Scheduled(every = "24h", delayed = "10m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void run() {
        purge(Instant.now());
    }

    /// @param now the time at which retention is judged
    public void purge(Instant now) {
        var longest = classes.shortest().map(now::minus);
        try {
            if (longest.isEmpty()) {
                return;
            }
            erasures.requireKnown();
            var tenants = QuarkusTransaction.requiringNew().call(() -> {
                role.staff(TransactionRole.EVERY_TENANT);
                return records.getEntityManager()
                        .createQuery(TENANTS, String.class)
                        .setParameter(1, longest.get())
                        .getResultList();
            });
            boolean purged = false;
            for (var tenant : tenants) {
                purged |= purge(tenant, longest.get(), now);
            }
            if (purged) {
                vacuum.rewriteAll();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("retention is purged later cause={}", SafeStackTrace.name(e));
        }
    }

    /// @return whether anything was deleted
    private boolean purge(String tenant, Instant before, Instant now) {
        var place = new Place(0, false);
        for (int batch = 0; batch < BATCHES_MAX && place.seq >= 0; batch++) {
            var from = place;
            place = QuarkusTransaction.requiringNew().call(() -> batch(tenant, before, now, from));
        }
        return place.purged;
    }

    /// Where the next batch begins, below 0 for none.
    private record Place(long seq, boolean purged) {}

    private Place batch(String tenant, Instant before, Instant now, Place place) {
        role.erasing(tenant);
        if (place.seq == 0 && !holds.complete(tenant)) {
            LOG.error("nothing is purged, because events are missing tenant={}", tenant);
            return new Place(-1, false);
        }
        var old = records.find(OLD_OF_TENANT, before, tenant, place.seq)
                .range(0, ErasedPersons.BATCH - 1)
                .list();
        var held = holds.active(tenant);
        var due = old.stream()
                .filter(row -> classes.of(tenant, row.key)
                        .filter(one -> row.acceptedAt.isBefore(now.minus(one.max())))
                        .isPresent())
                .filter(row -> held.stream().noneMatch(hold -> hold.keeps(row)))
                .toList();
        if (!due.isEmpty()) {
            purge(tenant, due);
        }
        long next = old.size() == ErasedPersons.BATCH ? old.getLast().seq : -1;
        return new Place(next, place.purged || !due.isEmpty());
    }

    private void purge(String tenant, List<RecordRow> due) {
        var responses = due.stream().map(row -> row.response).distinct().toList();
        var about = events.verified("personal is not null and tenant = ?1 and response in ?2", tenant, responses);
        var tokens = due.stream()
                .map(row -> row.subjectToken)
                .filter(Objects::nonNull)
                .toList();
        var named = due.stream().map(row -> row.dataKeyId).collect(Collectors.toSet());
        var removed = StaffAccess.of("audit-service", Action.RECORDS_PURGED, Outcome.GRANTED)
                .about(tenant, null, null)
                .with(due.size(), "retention");
        persons.takeOut(removed, new ErasedPersons.Traces(due, about, false));
        records.update(
                "content = null where id in ?1", due.stream().map(row -> row.id).toList());
        var kept = new HashSet<>(records.getEntityManager()
                .createQuery(KEPT_KEYS, String.class)
                .setParameter(1, named)
                .getResultList());
        named.removeAll(kept);
        if (!named.isEmpty() && !tokens.isEmpty()) {
            keys.destroy(tokens, named);
        }
    }
}
