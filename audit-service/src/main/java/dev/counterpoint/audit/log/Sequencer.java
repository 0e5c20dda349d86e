package dev.counterpoint.audit.log;

import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.auditlog.Leaf;
import dev.counterpoint.servicekit.OutageException;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.TileLogWriter;
import io.quarkus.arc.All;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives committed rows their places in the log, signs a checkpoint of it and publishes that. There is no leader: a
/// replica that committed rows runs the sequencer itself, one replica at a time by a lock in the database. Of
/// several callers in one replica one runs it for all. Thread-safe.
@ApplicationScoped
public class Sequencer {
    private static final Logger LOG = LoggerFactory.getLogger(Sequencer.class);
    private static final int BATCH = 4_096;
    private static final int BATCHES_MAX = 1_000;
    private static final long TURN_SECONDS_MAX = 10;
    /// A restored database takes all that it lacks in one.
    private static final int TRANSACTION_SECONDS_MAX = 600;

    private static final int OLD_BLOCKS_AT_ONCE = 100;

    private final LogTables tables;
    private final List<LoggedTable> logged;
    private final RowMarks marks;
    private final LogSigner signer;
    private final LogPublisher publisher;
    private final List<OldRows> old;
    private final TransactionRole role;
    private final AtomicLong asked = new AtomicLong();
    private final ReentrantLock turn = new ReentrantLock();
    /// Guarded by [#turn], as are the next ones.
    private long covered;

    private @Nullable RuntimeException failure;
    private @Nullable TileLogWriter writer;
    /// The note of [#writer], empty unless this replica signed it.
    private String signed = "";

    Sequencer(
            LogTables tables,
            @All List<LoggedTable> logged,
            RowMarks marks,
            LogSigner signer,
            LogPublisher publisher,
            @All List<OldRows> old,
            TransactionRole role) {
        this.tables = tables;
        this.logged = logged;
        this.marks = marks;
        this.signer = signer;
        this.publisher = publisher;
        this.old = old;
        this.role = role;
    }

    /// The log took no row in time.
    static final class BusyException extends OutageException {
        private static final long serialVersionUID = 1;

        BusyException(String message) {
            super(message);
        }
    }

    /// Returns once a published checkpoint covers every row that was committed before this call.
    public void publish() {
        long mine = asked.incrementAndGet();
        try {
            if (!turn.tryLock(TURN_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new BusyException("the log is busy");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BusyException("interrupted");
        }
        try {
            if (covered < mine) {
                covered = asked.get();
                failure = failed();
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            turn.unlock();
        }
    }

    /// Covers committed rows of a replica that died before its run, and takes over rows from before the log.
    @Scheduled(
            every = "5s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    void publishForOthers() {
        try {
            boolean more = true;
            for (int block = 0; more && block < OLD_BLOCKS_AT_ONCE; block++) {
                more = QuarkusTransaction.requiringNew().call(this::takeOld);
                publish();
            }
        } catch (RuntimeException e) {
            LOG.warn("the log is not continued cause={}", e.getClass().getName());
        }
    }

    private boolean takeOld() {
        role.sequencing();
        return tables.takesOldRows() && old.stream().map(OldRows::take).reduce(false, Boolean::logicalOr);
    }

    /// Sequences and publishes.
    private @Nullable RuntimeException failed() {
        try {
            repeat(this::batch);
            if (writer != null && publisher.lacks(writer.checkpoint())) {
                repeat(this::publishMore);
            }
            return null;
        } catch (RuntimeException e) {
            writer = null; // it may be ahead of the database
            publisher.forget();
            return e;
        }
    }

    /// @param step runs under the lock, in a transaction of its own; whether there may be more
    private void repeat(BooleanSupplier step) {
        for (int batch = 0; batch < BATCHES_MAX; batch++) {
            boolean more = QuarkusTransaction.requiringNew()
                    .timeout(TRANSACTION_SECONDS_MAX)
                    .call(() -> {
                        role.sequencing();
                        return step.getAsBoolean();
                    });
            if (!more) {
                return;
            }
        }
        throw new BusyException("the log has more rows to take than it can");
    }

    private boolean publishMore() {
        return publisher.publish(head());
    }

    /// @return whether there may be more rows
    private boolean batch() {
        var log = continued();
        boolean more = false;
        for (var table : logged) {
            var rows = table.waiting(BATCH);
            more |= rows.size() == BATCH;
            var forged = rows.stream().filter(row -> !marks.marked(row)).toList();
            if (!forged.isEmpty()) {
                LOG.error(
                        "rows without this service's mark stay out of the log table={} count={}",
                        table.name(),
                        forged.size());
                tables.refuse(table, forged);
            }
            var taken = new ArrayList<>(rows);
            taken.removeAll(forged);
            if (!taken.isEmpty()) {
                append(log, table, taken);
            }
        }
        return more;
    }

    private void append(TileLogWriter log, LoggedTable table, List<LoggedRow> rows) {
        long first = log.size();
        long now = System.currentTimeMillis();
        var counts = tables.counts(
                rows.stream().map(LoggedRow::tenant).filter(Objects::nonNull).collect(Collectors.toSet()));
        var leaves = new ArrayList<byte[]>();
        for (var row : rows) {
            long index = first + leaves.size();
            var tenant = row.tenant();
            var before = tenant == null ? Leaf.Count.NONE : counts.getOrDefault(tenant, Leaf.Count.NONE);
            leaves.add(new Leaf(row.commitment(), row.table(), tenant, before, now).encode());
            if (tenant != null) {
                counts.put(tenant, before.next(index));
            }
        }
        tables.append(first, leaves);
        tables.number(table, first, rows);
        tables.keepCounts(counts);
        log.append(leaves);
        var note = signer.sign(log.checkpoint());
        tables.publish(note);
        signed = note.toString();
    }

    /// The writer at the last checkpoint, which another replica may have made since.
    private TileLogWriter continued() {
        var head = publisher.followed(head());
        var known = writer;
        if (known == null || !known.checkpoint().equals(head)) {
            known = new TileLogWriter(head, tables);
            writer = known;
            signed = "";
        }
        return known;
    }

    /// The last checkpoint in the database, which needs no check when this replica has just signed it.
    private Checkpoint head() {
        var note = tables.checkpoint();
        var known = writer;
        if (known != null && note.filter(last -> signed.equals(last.toString())).isPresent()) {
            return known.checkpoint();
        }
        var head = note.map(signer::verified).orElse(new Checkpoint(signer.origin(), 0, MerkleHash.EMPTY_TREE));
        if (note.isPresent() && !signer.signedByAll(note.get())) {
            tables.publish(signer.sign(head)); // before a rotation takes the old key away
        }
        return head;
    }
}
