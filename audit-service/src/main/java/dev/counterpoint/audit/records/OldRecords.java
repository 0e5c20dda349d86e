package dev.counterpoint.audit.records;

import dev.counterpoint.audit.log.OldRows;
import dev.counterpoint.audit.log.RowMarks;
import jakarta.enterprise.context.ApplicationScoped;

/// Records that the version before stored. One that was altered is not taken over.
@ApplicationScoped
class OldRecords implements OldRows {
    private static final int BLOCK = 100;

    private final RecordRepository rows;
    private final RecordStore records;
    private final RowMarks marks;
    private long passed;

    OldRecords(RecordRepository rows, RecordStore records, RowMarks marks) {
        this.rows = rows;
        this.records = records;
        this.marks = marks;
    }

    @Override
    public boolean take() {
        var old = rows.find("mac is null and seq > ?1 order by seq", passed)
                .range(0, BLOCK - 1)
                .list();
        for (var row : old) {
            if (!(records.open(row) instanceof ReadResult.Altered)) {
                take(row);
            }
        }
        passed = old.size() == BLOCK ? old.getLast().seq : 0;
        return passed > 0;
    }

    /// The role of run time may write these columns only.
    private void take(RecordRow row) {
        row.content = records.content(row);
        rows.getEntityManager().detach(row);
        row.imported = true;
        row.mark(marks);
        rows.update(
                "imported = true, salt = ?1, mac = ?2, contentHash = ?3, personalSalt = ?4 where id = ?5",
                row.salt,
                row.mac,
                row.contentHash,
                row.personalSalt,
                row.id);
    }

    @Override
    public long waiting() {
        return rows.count("mac is null");
    }
}
