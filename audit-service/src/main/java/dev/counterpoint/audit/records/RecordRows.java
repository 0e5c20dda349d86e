package dev.counterpoint.audit.records;

import dev.counterpoint.audit.log.LoggedRow;
import dev.counterpoint.audit.log.LoggedTable;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/// The records as rows of the log.
@ApplicationScoped
class RecordRows implements LoggedTable {
    private final RecordRepository rows;

    RecordRows(RecordRepository rows) {
        this.rows = rows;
    }

    @Override
    public String name() {
        return RecordRow.TABLE;
    }

    @Override
    public String key() {
        return "response";
    }

    @Override
    public List<LoggedRow> waiting(int atMost) {
        return logged(rows.find("logIndex is null and mac is not null order by seq")
                .range(0, atMost - 1)
                .list());
    }

    @Override
    public List<LoggedRow> between(long from, long to) {
        return logged(rows.list("logIndex >= ?1 and logIndex < ?2", from, to));
    }

    private static List<LoggedRow> logged(List<RecordRow> found) {
        return found.stream().map(RecordRow::logged).flatMap(Optional::stream).toList();
    }
}
