package dev.counterpoint.tlog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The right edge of a growing tree: the hashes and entries that are in no full tile yet. From it follow the
/// root and every tile, without a look at the rest of the log.
final class TreeEdge {
    private static final int LEVEL_BITS = 8;

    private final List<List<MerkleHash>> levels = new ArrayList<>();
    private final List<byte[]> entries = new ArrayList<>();
    private long size;

    static TreeEdge read(TileStore store, long size) {
        var edge = new TreeEdge();
        edge.size = size;
        for (var level = 0; (size >> (LEVEL_BITS * level)) > 0; level++) {
            var width = (int) (size >> (LEVEL_BITS * level)) & (TileId.WIDTH - 1);
            var index = size >> (LEVEL_BITS * (level + 1));
            edge.levels.add(new ArrayList<>());
            if (width > 0) {
                var id = new TileId(level, index, width);
                edge.levels.get(level).addAll(HashTile.decode(store.need(id), id));
            }
            if (level == 0 && width > 0) {
                var bundle = new TileId(TileId.ENTRIES, index, width);
                edge.entries.addAll(EntryBundle.decode(store.need(bundle), width));
            }
        }
        return edge;
    }

    TreeEdge copy() {
        var copy = new TreeEdge();
        levels.forEach(level -> copy.levels.add(new ArrayList<>(level)));
        copy.entries.addAll(entries);
        copy.size = size;
        return copy;
    }

    long size() {
        return size;
    }

    /// Adds an entry, and gives every tile that it completes to `full`.
    void add(byte[] entry, BiConsumer<TileId, byte[]> full) {
        if (entry.length > EntryBundle.ENTRY_BYTES_MAX) {
            throw new InvalidLogException("an entry of more than " + EntryBundle.ENTRY_BYTES_MAX + " bytes");
        }
        size++;
        entries.add(entry);
        if (entries.size() == TileId.WIDTH) {
            full.accept(fullTile(TileId.ENTRIES), EntryBundle.encode(entries));
            entries.clear();
        }
        var hash = MerkleHash.ofLeaf(entry);
        for (var level = 0; ; level++) {
            if (levels.size() == level) {
                levels.add(new ArrayList<>());
            }
            var hashes = levels.get(level);
            hashes.add(hash);
            if (hashes.size() < TileId.WIDTH) {
                return;
            }
            full.accept(fullTile(level), HashTile.encode(hashes));
            hash = MerkleHash.ofSubtree(hashes);
            hashes.clear();
        }
    }

    /// Gives the partial tiles that differ from those of the tree of `since` leaves to `partial`.
    void partials(long since, BiConsumer<TileId, byte[]> partial) {
        for (var level = 0; level < levels.size(); level++) {
            var shift = LEVEL_BITS * level;
            var hashes = levels.get(level);
            if (!hashes.isEmpty() && since >> shift != size >> shift) {
                partial.accept(new TileId(level, size >> (shift + LEVEL_BITS), hashes.size()), HashTile.encode(hashes));
            }
        }
        if (!entries.isEmpty() && since != size) {
            partial.accept(new TileId(TileId.ENTRIES, size >> LEVEL_BITS, entries.size()), EntryBundle.encode(entries));
        }
    }

    MerkleHash root() {
        @Nullable MerkleHash root = null;
        for (var hashes : levels) {
            root = fold(hashes, root);
        }
        return root == null ? MerkleHash.EMPTY_TREE : root;
    }

    /// Joins the complete subtrees of one tile with the root of all that is right of them, from the smallest on.
    private static @Nullable MerkleHash fold(List<MerkleHash> hashes, @Nullable MerkleHash right) {
        var root = right;
        var to = hashes.size();
        for (var count = 1; count < TileId.WIDTH; count <<= 1) {
            if ((hashes.size() & count) != 0) {
                var peak = MerkleHash.ofSubtree(hashes.subList(to - count, to));
                root = root == null ? peak : MerkleHash.ofNode(peak, root);
                to -= count;
            }
        }
        return root;
    }

    private TileId fullTile(int level) {
        var index = (size >> (LEVEL_BITS * (Math.max(level, 0) + 1))) - 1;
        return new TileId(level, index, TileId.WIDTH);
    }
}
