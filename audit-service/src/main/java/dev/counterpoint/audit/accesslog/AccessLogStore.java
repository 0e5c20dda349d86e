package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.bus.audit.AccessEntry;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// The access log: who searched, read, erased, was refused, or saw raw reasoning. Methods join the caller's transaction
/// or open one; an entry exists once that transaction is committed, not before. Thread-safe.
@ApplicationScoped
public class AccessLogStore {
    private final AccessRepository rows;
    private final MeterRegistry metrics;
    private final TransactionRole role;

    AccessLogStore(AccessRepository rows, MeterRegistry metrics, TransactionRole role) {
        this.rows = rows;
        this.role = role;
        this.metrics = metrics;
    }

    /// Writes the entry of what a staff member did or tried.
    ///
    /// @return id of the entry
    @Transactional
    public String write(StaffAccess access) {
        role.staff(Objects.requireNonNullElse(access.tenant(), TransactionRole.EVERY_TENANT));
        var row = new AccessRow();
        row.id = UUID.randomUUID().toString();
        row.at = RowTime.now();
        row.actor = access.actor();
        row.source = "audit";
        row.action = access.action().wireName();
        row.outcome = access.outcome().wireName();
        row.tenant = access.tenant();
        row.response = access.response();
        row.subjectToken = access.subjectToken();
        row.caseId = access.caseId();
        row.reason = access.reason();
        row.records = access.records();
        row.detail = access.detail();
        insert(row);
        return row.id;
    }

    /// Keeps an entry that a gateway wrote, once, however often the bus delivers it.
    @Transactional
    public void keep(AccessEntry entry) {
        role.intake();
        if (rows.count("id", entry.id()) > 0) {
            return;
        }
        var row = new AccessRow();
        row.id = entry.id();
        row.at = Instant.ofEpochMilli(entry.atMillis());
        row.actor = entry.actor();
        row.source = "gateway";
        row.action = action(entry.action()).wireName();
        row.outcome = StaffAccess.Outcome.GRANTED.wireName();
        row.tenant = entry.tenant();
        row.response = entry.response();
        row.records = 1;
        insert(row);
    }

    private static StaffAccess.Action action(AccessEntry.Action action) {
        return switch (action) {
            case RAW_REASONING_SHOWN -> StaffAccess.Action.RAW_REASONING_SHOWN;
            case UNKNOWN -> StaffAccess.Action.UNKNOWN;
        };
    }

    private void insert(AccessRow row) {
        rows.persistAndFlush(row);
        metrics.counter("audit.access.entries", "action", row.action, "outcome", row.outcome)
                .increment();
    }

    /// @param wanted over the fields of [AccessLogEntry]
    /// @return the entries, the last written first
    @Transactional
    public List<AccessLogEntry> search(WhereClause wanted, int atMost) {
        return wanted.newest(rows, atMost).stream().map(AccessLogEntry::of).toList();
    }
}
