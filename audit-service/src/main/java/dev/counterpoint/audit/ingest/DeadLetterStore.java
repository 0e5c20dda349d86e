package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.log.LogStatements;
import dev.counterpoint.audit.log.LoggedRow;
import dev.counterpoint.audit.log.LoggedTable;
import dev.counterpoint.audit.log.RowMark;
import dev.counterpoint.audit.log.RowMarks;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.DeadLetterText;
import dev.counterpoint.bus.kafka.KafkaClients;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.hibernate.Session;

/// Records of the bus that could not be read, kept sealed until somebody looks into them. Each has its leaf in the log.
/// Thread-safe.
@ApplicationScoped
class DeadLetterStore implements LoggedTable {
    private static final String CAUSE = "FAILED";
    private static final String KEEP = """
        insert into dead_letter (topic, partition, kafka_offset, received_at, cause, body, salt, mac)
        values (:topic, :partition, :offset, :now, :cause, :body, :salt, :mac) on conflict do nothing\
        """;
    private static final String ROWS = """
        select place, log_index, received_at, cause, body_hash, salt, mac from dead_letter where mac is not null and\
        """;

    private final Session database;
    private final LogStatements sql;
    private final RowMarks marks;
    private final TransactionRole role;

    DeadLetterStore(Session database, RowMarks marks, TransactionRole role) {
        this.database = database;
        this.marks = marks;
        this.role = role;
        sql = new LogStatements(database);
    }

    /// Keeps a record once, however often the bus delivers it.
    @Transactional
    public void keep(ConsumerRecord<String, byte[]> record) {
        var body = KafkaClients.body(record);
        var place = "%s/%d/%d".formatted(record.topic(), record.partition(), record.offset());
        var now = RowTime.now();
        var mark = marks.mark(name(), place, DeadLetterText.of(place, now, CAUSE, Commitment.to(body)));
        role.intake();
        database.createNativeMutationQuery(KEEP)
                .setParameter("topic", record.topic())
                .setParameter("partition", record.partition())
                .setParameter("offset", record.offset())
                .setParameter("now", now)
                .setParameter("cause", CAUSE)
                .setParameter("body", body)
                .setParameter("salt", mark.salt())
                .setParameter("mac", mark.mac())
                .executeUpdate();
    }

    @Override
    public String name() {
        return DeadLetterText.TABLE;
    }

    @Override
    public String key() {
        return "place";
    }

    @Override
    public List<LoggedRow> waiting(int atMost) {
        return sql.rows(ROWS + " log_index is null order by id limit ?", DeadLetterStore::logged, atMost);
    }

    @Override
    public List<LoggedRow> between(long from, long to) {
        return sql.rows(ROWS + " log_index >= ? and log_index < ?", DeadLetterStore::logged, from, to);
    }

    private static LoggedRow logged(ResultSet row) throws SQLException {
        var place = row.getString(1);
        return new LoggedRow(
                DeadLetterText.TABLE,
                place,
                row.getObject(2, Long.class),
                null,
                DeadLetterText.of(place, row.getTimestamp(3).toInstant(), row.getString(4), row.getBytes(5)),
                new RowMark(row.getBytes(6), row.getBytes(7)),
                null);
    }
}
