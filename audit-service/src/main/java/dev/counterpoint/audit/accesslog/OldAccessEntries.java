package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.log.OldRows;
import jakarta.enterprise.context.ApplicationScoped;

/// The entries of the table `access_entry`, which the version before writes.
@ApplicationScoped
class OldAccessEntries implements OldRows {
    private static final int BLOCK = 1_000;

    private final AccessRepository rows;
    private final EventStore events;

    OldAccessEntries(AccessRepository rows, EventStore events) {
        this.rows = rows;
        this.events = events;
    }

    @Override
    public boolean take() {
        var old = rows.find("imported = false order by seq").range(0, BLOCK - 1).list();
        if (old.isEmpty()) {
            return false;
        }
        for (var row : old) {
            if (!events.holds(row.id)) {
                var entry = EntryMembers.of(row);
                events.append(row.id, entry.plain(), entry.personal());
            }
        }
        rows.update(
                "imported = true where seq in ?1",
                old.stream().map(row -> row.seq).toList());
        return old.size() == BLOCK;
    }

    @Override
    public long waiting() {
        return rows.count("imported = false");
    }
}
