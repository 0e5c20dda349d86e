package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.bus.audit.AccessEntry;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The access log: who searched, read, erased, was refused, or saw raw reasoning. Its entries are events of the
/// audit log. Methods join the caller's transaction or open one; an entry exists once that transaction is
/// committed, not before. Thread-safe.
@ApplicationScoped
public class AccessLogStore {
    private final EventStore events;
    private final MeterRegistry metrics;
    private final TransactionRole role;

    AccessLogStore(EventStore events, MeterRegistry metrics, TransactionRole role) {
        this.events = events;
        this.role = role;
        this.metrics = metrics;
    }

    /// Writes the entry of what a staff member did or tried.
    ///
    /// @return id of the entry
    @Transactional
    public String write(StaffAccess access) {
        return write(UUID.randomUUID().toString(), access);
    }

    /// @param id of the entry, which nothing else has
    @Transactional
    public String write(String id, StaffAccess access) {
        role.staff(access.plain()
                .getOrDefault("tenant", TransactionRole.EVERY_TENANT)
                .toString());
        return append(id, access);
    }

    /// Stores an entry of a gateway once, even if the bus delivers it again.
    @Transactional
    public void keep(AccessEntry entry) {
        role.intake();
        if (!events.holds(entry.id())) {
            append(entry.id(), StaffAccess.of(entry));
        }
    }

    /// Marks a response for review, once. The caller's transaction has taken its role.
    public void flag(StaffAccess.Action action, String tenant, String response, @Nullable String detail) {
        var id = action.wireName() + "_" + response;
        if (!events.holds(id)) {
            var found = StaffAccess.of("audit-service", action, StaffAccess.Outcome.FLAGGED);
            append(id, found.about(tenant, response, null).with(1, detail));
        }
    }

    /// The unaltered entries of a consent's beginning and end.
    @Transactional
    public List<FoundEntry> consent(String id) {
        var found = events.verified("id in ?1 order by seq", List.of("consent_given_" + id, "consent_ended_" + id));
        return found.stream().map(FoundEntry::of).toList();
    }

    private String append(String id, StaffAccess access) {
        events.append(id, access.plain(), access.personal());
        metrics.counter("audit.access.entries", "action", access.text("action"), "outcome", access.text("outcome"))
                .increment();
        return id;
    }

    /// @param wanted over the filter columns of events
    /// @return the entries, the last written first
    @Transactional
    public List<FoundEntry> search(WhereClause wanted, int atMost) {
        return events.newest(wanted, atMost).stream().map(FoundEntry::of).toList();
    }
}
