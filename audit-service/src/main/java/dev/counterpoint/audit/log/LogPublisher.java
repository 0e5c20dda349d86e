package dev.counterpoint.audit.log;

import dev.counterpoint.servicekit.OutageException;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.TileLogWriter;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the database's log in its topic, and stops if the database has another log than the published one. So
/// nothing published is ever taken back, not even by an older database. Methods without `public` are called under the
/// log's lock, in an open transaction, by one thread at a time.
@ApplicationScoped
public class LogPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(LogPublisher.class);
    private static final int LEAVES_IN_A_RECORD = 2_048;

    private final LogTables tables;
    private final LogTopic topic;
    private final LogSigner signer;
    private final LogRestore restore;
    /// At the published checkpoint, of leaves that were read from the database.
    private @Nullable TileLogWriter published;

    private boolean signed;
    private volatile @Nullable OutageException unsound = new Sequencer.BusyException("not compared with its topic yet");

    LogPublisher(LogTables tables, LogTopic topic, LogSigner signer, LogRestore restore) {
        this.tables = tables;
        this.topic = topic;
        this.signer = signer;
        this.restore = restore;
    }

    /// @throws OutageException unless the database continued the published log at the last check
    public void requireSound() {
        var known = unsound;
        if (known != null) {
            throw known;
        }
    }

    /// Why the log stands still.
    public Optional<LogFaultException> fault() {
        return unsound instanceof LogFaultException fault ? Optional.of(fault) : Optional.empty();
    }

    public boolean sound() {
        return unsound == null;
    }

    /// Called after a failure, because the memory may be ahead of topic or database.
    void forget() {
        published = null;
    }

    boolean lacks(Checkpoint head) {
        return published == null || !signed || !published.checkpoint().equals(head);
    }

    /// The database's checkpoint, once it is known to continue the published log.
    ///
    /// @return another one than `head` when leaves were taken over from the topic
    /// @throws LogFaultException when it does not
    Checkpoint followed(Checkpoint head) {
        return published != null && published.checkpoint().equals(head)
                ? head
                : guarded(head, () -> {
                    var followed = compared(head);
                    requireContinued(Objects.requireNonNull(published).checkpoint(), followed);
                    return followed;
                });
    }

    /// Appends a record to the topic, when it lacks leaves or a signature.
    ///
    /// @return whether it lacks more
    boolean publish(Checkpoint head) {
        return guarded(head, () -> {
            compared(head);
            var log = Objects.requireNonNull(published);
            long from = log.checkpoint().size();
            var leaves = tables.leaves(from, Math.min(head.size(), from + LEAVES_IN_A_RECORD));
            log.append(leaves);
            var reached = log.checkpoint();
            requireContinued(reached, head);
            if (!leaves.isEmpty() || !signed) {
                topic.append(new PublishedLeaves(signer.sign(reached), leaves));
                signed = true;
            }
            return reached.size() < head.size();
        });
    }

    private <T> T guarded(Checkpoint head, Supplier<T> step) {
        try {
            var done = step.get();
            unsound = null;
            return done;
        } catch (LogFaultException fault) {
            if (fault().filter(known -> known.kind().equals(fault.kind())).isEmpty()) {
                LOG.error(
                        "the database does not continue the published audit log fault={} leaves={} published={}",
                        fault.kind(),
                        head.size(),
                        fault.published());
            }
            unsound = fault;
            throw fault;
        }
    }

    /// Brings [#published] to the last checkpoint of the topic.
    private Checkpoint compared(Checkpoint head) {
        var note = topic.last();
        var last = note.map(signer::verified).orElse(new Checkpoint(signer.origin(), 0, MerkleHash.EMPTY_TREE));
        var followed = last.size() <= head.size() ? head : restore.restored(head, last);
        if (published == null || !published.checkpoint().equals(last)) {
            if (note.isEmpty() && head.size() > 0) {
                LOG.warn("the topic audit-log is empty, so the log is published anew leaves={}", head.size());
            }
            signed = note.isEmpty() || signer.signedByAll(note.get());
            try {
                published = new TileLogWriter(last, tables);
            } catch (InvalidLogException e) {
                throw new LogFaultException("forked", last.size());
            }
        }
        return followed;
    }

    private void requireContinued(Checkpoint part, Checkpoint head) {
        if (!MerkleTree.ofTiles(tables, head.size()).consistency(part.size()).proves(part.root(), head.root())) {
            throw new LogFaultException("forked", part.size());
        }
    }
}
