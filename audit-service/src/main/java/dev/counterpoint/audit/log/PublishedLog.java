package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TlogProof;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.Collection;
import java.util.Optional;

/// The log as everybody may have it: the last published checkpoint and the tiles of its tree. Thread-safe.
@ApplicationScoped
public class PublishedLog {
    private final LogTables tables;
    private final EventStore events;
    private final Sequencer sequencer;
    private final LogTopic topic;
    private final LogSigner signer;
    private final TransactionRole role;

    PublishedLog(
            LogTables tables,
            EventStore events,
            Sequencer sequencer,
            LogTopic topic,
            LogSigner signer,
            TransactionRole role) {
        this.signer = signer;
        this.sequencer = sequencer;
        this.topic = topic;
        this.tables = tables;
        this.events = events;
        this.role = role;
    }

    /// A checkpoint that the topic holds, with all that was committed before; empty before the first event.
    public Optional<SignedNote> checkpoint() {
        sequencer.publish();
        return topic.published();
    }

    /// The policy of a verifier that trusts the keys of this service.
    public String policy() {
        return signer.policy();
    }

    /// The tree of a checkpoint of this log, which reads the database in the open transaction.
    public MerkleTree tree(SignedNote checkpoint) {
        return MerkleTree.ofTiles(tables, Checkpoint.parse(checkpoint.text()).size());
    }

    /// A leaf of this log. Needs an open transaction.
    public byte[] leaf(long index) {
        return tables.leaves(index, index + 1).getFirst();
    }

    /// A tile of the last checkpoint's tree, or a partial one that is its beginning.
    ///
    /// @param path such as `tile/0/x001/x234/067`
    @Transactional
    public Optional<byte[]> tile(String path) {
        role.staff(TransactionRole.EVERY_TENANT);
        long size = tables.checkpoint()
                .map(note -> Checkpoint.parse(note.text()).size())
                .orElse(0L);
        try {
            var id = TileId.parse(path);
            return id.width() <= TileId.inTree(id.level(), id.index(), size).width()
                    ? tables.read(id)
                    : Optional.empty();
        } catch (InvalidLogException e) {
            return Optional.empty();
        }
    }

    /// A leaf of the last checkpoint's tree and the proof that it is there; empty for an index beyond it.
    @Transactional
    public Optional<ProvenLeaf> proof(long index) {
        role.staff(TransactionRole.EVERY_TENANT);
        var note = tables.checkpoint().orElse(null);
        long size = note == null ? 0 : Checkpoint.parse(note.text()).size();
        if (note == null || index < 0 || index >= size) {
            return Optional.empty();
        }
        var inclusion = MerkleTree.ofTiles(tables, size).inclusion(index);
        var proof = new TlogProof(Optional.empty(), inclusion, note);
        var leaf = new String(tables.leaves(index, index + 1).getFirst(), UTF_8);
        return Optional.of(new ProvenLeaf(leaf, new String(proof.encode(), UTF_8)));
    }

    /// @param leaf the line of the log
    /// @param proof the content of its `.tlog-proof` file
    public record ProvenLeaf(String leaf, String proof) {}

    /// Whether all these events are in the log as they were written.
    @Transactional
    public boolean holds(Collection<String> events) {
        role.staff(TransactionRole.EVERY_TENANT);
        return this.events.published(events);
    }
}
