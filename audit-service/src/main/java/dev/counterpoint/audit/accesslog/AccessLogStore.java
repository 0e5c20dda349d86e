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
        role.staff(access.plain()
                .getOrDefault("tenant", TransactionRole.EVERY_TENANT)
                .toString());
        return append(UUID.randomUUID().toString(), access);
    }

    /// Keeps an entry that a gateway wrote, once, however often the bus delivers it.
    @Transactional
    public void keep(AccessEntry entry) {
        role.intake();
        if (!events.holds(entry.id())) {
            append(entry.id(), StaffAccess.of(entry));
        }
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
