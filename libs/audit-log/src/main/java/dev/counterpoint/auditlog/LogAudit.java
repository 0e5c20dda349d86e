package dev.counterpoint.auditlog;

import dev.counterpoint.auditlog.TamperedLogException.Kind;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileAudit;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Verifies logs. Methods throw [TamperedLogException] for a log that was changed.
public final class LogAudit {
    private final Map<String, Leaf.Count> counts = new HashMap<>();
    private @Nullable TamperedLogException fault;

    private LogAudit() {}

    /// The checkpoint of a note that the policy accepts.
    public static Checkpoint verified(byte[] note, LogPolicy policy) {
        try {
            return policy.verify(SignedNote.parse(note));
        } catch (InvalidLogException e) {
            throw new TamperedLogException(Kind.FORGED, null);
        }
    }

    /// Verifies every leaf, every tile and the root, and that no leaf of a tenant was left out.
    ///
    /// @param checkpoint with verified signatures
    /// @return the leaves of each tenant
    public static Map<String, Leaf.Count> verify(TileStore store, Checkpoint checkpoint) {
        var leaves = new LogAudit();
        TileAudit.audit(store, checkpoint, leaves::accept).ifPresent(found -> {
            throw at(store, checkpoint.size(), found.index());
        });
        if (leaves.fault != null) {
            throw leaves.fault;
        }
        return leaves.counts;
    }

    private void accept(long index, byte[] entry) {
        var leaf = Leaf.read(entry).orElse(null);
        if (leaf == null) {
            fail(Kind.FORGED, index);
        } else if (leaf.tenant() != null) {
            var known = counts.getOrDefault(leaf.tenant(), Leaf.Count.NONE);
            if (!leaf.before().equals(known)) {
                fail(leaf.before().leaves() > known.leaves() ? Kind.DELETED : Kind.FORGED, index);
            }
            counts.put(leaf.tenant(), leaf.before().next(index));
        }
    }

    private void fail(Kind kind, long index) {
        fault = fault == null ? new TamperedLogException(kind, index) : fault;
    }

    /// Verifies that a log extends an older checkpoint of it.
    public static void verifyExtends(TileStore store, Checkpoint older, Checkpoint newer) {
        if (!newer.origin().equals(older.origin())) {
            throw new TamperedLogException(Kind.FORGED, null);
        }
        if (newer.size() < older.size()) {
            throw new TamperedLogException(Kind.ROLLED_BACK, newer.size());
        }
        var tree = MerkleTree.ofTiles(store, newer.size());
        try {
            if (!tree.consistency(older.size()).proves(older.root(), newer.root())) {
                throw new TamperedLogException(tree.root().equals(newer.root()) ? Kind.FORKED : Kind.EDITED, null);
            }
        } catch (InvalidLogException e) {
            throw new TamperedLogException(Kind.DELETED, null); // a tile is missing
        }
    }

    /// Names the first difference between leaves and hashes in the block that starts at `first`.
    private static TamperedLogException at(TileStore store, long size, long first) {
        if (size == 0) {
            return new TamperedLogException(Kind.FORGED, null); // the empty tree has one root only
        }
        var id = TileId.inTree(TileId.ENTRIES, first / TileId.WIDTH, size);
        List<MerkleHash> leaves;
        List<MerkleHash> hashes;
        try {
            leaves = store.entries(id).stream().map(MerkleHash::ofLeaf).toList();
            hashes = store.hashes(new TileId(0, id.index(), id.width()));
        } catch (InvalidLogException e) {
            return new TamperedLogException(missing(store, size, id), first);
        }
        for (var i = 0; i < id.width(); i++) {
            if (!leaves.get(i).equals(hashes.get(i))) {
                return new TamperedLogException(kind(leaves, hashes, i), first + i);
            }
        }
        return new TamperedLogException(Kind.EDITED, first);
    }

    private static Kind kind(List<MerkleHash> leaves, List<MerkleHash> hashes, int at) {
        if (new HashSet<>(leaves).equals(new HashSet<>(hashes))) {
            return Kind.REORDERED;
        }
        var last = at + 1 == leaves.size();
        if (!last && leaves.get(at).equals(hashes.get(at + 1))) {
            return Kind.DELETED;
        }
        return !last && leaves.get(at + 1).equals(hashes.get(at)) ? Kind.INSERTED : Kind.EDITED;
    }

    /// A bundle or tile is cut off, or it is not there: alone, or with all after it.
    private static Kind missing(TileStore store, long size, TileId id) {
        if (present(store, id) && present(store, new TileId(0, id.index(), id.width()))) {
            return Kind.EDITED;
        }
        return present(store, TileId.inTree(TileId.ENTRIES, (size - 1) / TileId.WIDTH, size))
                ? Kind.DELETED
                : Kind.TRUNCATED;
    }

    private static boolean present(TileStore store, TileId id) {
        return store.read(id).isPresent() || store.read(id.full()).isPresent();
    }
}
