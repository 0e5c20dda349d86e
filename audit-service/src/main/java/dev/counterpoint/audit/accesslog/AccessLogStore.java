package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.records.WhereClause;
import dev.counterpoint.bus.audit.AccessEntry;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/// Who searched, read, erased, was refused, or saw raw reasoning. Thread-safe. Methods join the caller's transaction or
/// open one: an entry is there when the method that wrote it has returned and that transaction is committed, not
/// before.
@ApplicationScoped
public class AccessLogStore {
    private final AccessRepository rows;
    private final MeterRegistry metrics;

    @Inject
    AccessLogStore(AccessRepository rows, MeterRegistry metrics) {
        this.rows = rows;
        this.metrics = metrics;
    }

    /// Writes down what staff did.
    ///
    /// @return id of the entry
    @Transactional
    public String write(StaffAccess access) {
        var row = new AccessRow();
        row.id = UUID.randomUUID().toString();
        row.at = Instant.now().truncatedTo(ChronoUnit.MILLIS);
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
        keep(row);
        return row.id;
    }

    /// Keeps what a gateway wrote.
    ///
    /// @return false when it is there already
    @Transactional
    public boolean keep(AccessEntry entry) {
        if (rows.count("id", entry.id()) > 0) {
            return false;
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
        keep(row);
        return true;
    }

    private static StaffAccess.Action action(AccessEntry.Action action) {
        return switch (action) {
            case RAW_REASONING_SHOWN -> StaffAccess.Action.RAW_REASONING_SHOWN;
            case UNKNOWN -> StaffAccess.Action.UNKNOWN;
        };
    }

    private void keep(AccessRow row) {
        rows.persistAndFlush(row);
        metrics.counter("audit.access.entries", "action", row.action, "outcome", row.outcome)
                .increment();
    }

    /// The entries that meet all of `wanted`, the last written first.
    @Transactional
    public List<AccessLogEntry> search(AccessQuery wanted) {
        var conditions = new WhereClause();
        conditions.equal("actor", wanted.actor());
        conditions.equal("action", wanted.action());
        conditions.equal("outcome", wanted.outcome());
        conditions.equal("tenant", wanted.tenant());
        conditions.equal("response", wanted.response());
        conditions.equal("caseId", wanted.caseId());
        conditions.compare("at", ">=", wanted.from());
        conditions.compare("at", "<", wanted.to());
        conditions.compare("seq", "<", wanted.before());
        return rows
                .find(conditions.text() + " order by seq desc", conditions.values())
                .range(0, wanted.atMost() - 1)
                .list()
                .stream()
                .map(AccessLogEntry::of)
                .toList();
    }
}
