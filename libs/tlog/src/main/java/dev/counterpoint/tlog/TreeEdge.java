package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// The right edge of a growing tree: the hashes and entries that are in no full tile yet. The root and every new
/// tile follow from it, without the rest of the log.
final class TreeEdge {
    private final List<List<MerkleHash>> levels = new ArrayList<>();
    private final List<byte[]> entries = new ArrayList<>();
    private long size;

    /// Reads the edge of a tree of `size` leaves.
    static TreeEdge read(TileStore store, long size) {
        var edge = new TreeEdge();
        edge.size = size;
        for (var level = 0; edge.count(level) > 0; level++) {
            edge.levels.add(new ArrayList<>());
            var width = (int) (edge.count(level) % TileId.WIDTH);
            var index = edge.count(level) / TileId.WIDTH;
            if (width > 0) {
                edge.levels.get(level).addAll(store.hashes(new TileId(level, index, width)));
            }
            if (width > 0 && level == 0) {
                edge.entries.addAll(store.entries(new TileId(TileId.ENTRIES, index, width)));
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

    /// Complete hashes at a level of tiles.
    private long count(int level) {
        return size >> (TileId.LEVEL_BITS * level);
    }

    /// Adds an entry, and gives every tile that it completes to `full`.
    void add(byte[] entry, BiConsumer<TileId, byte[]> full) {
        require(entry.length <= TileContent.ENTRY_BYTES_MAX, "an entry of more than 65,535 bytes");
        size++;
        entries.add(entry);
        if (entries.size() == TileId.WIDTH) {
            full.accept(new TileId(TileId.ENTRIES, count(1) - 1, TileId.WIDTH), TileContent.ofEntries(entries));
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
            full.accept(new TileId(level, count(level + 1) - 1, TileId.WIDTH), TileContent.ofHashes(hashes));
            hash = MerkleHash.ofSubtree(hashes);
            hashes.clear();
        }
    }

    /// Gives the partial tiles that differ from those of the tree of `since` leaves to `partial`.
    void partials(long since, BiConsumer<TileId, byte[]> partial) {
        for (var level = 0; level < levels.size(); level++) {
            var hashes = levels.get(level);
            if (!hashes.isEmpty() && since >> (TileId.LEVEL_BITS * level) != count(level)) {
                partial.accept(TileId.inTree(level, count(level + 1), size), TileContent.ofHashes(hashes));
            }
        }
        if (!entries.isEmpty() && since != size) {
            partial.accept(TileId.inTree(TileId.ENTRIES, count(1), size), TileContent.ofEntries(entries));
        }
    }

    MerkleHash root() {
        return MerkleTree.ofTiles(size, (level, _) -> levels.get(level)).root();
    }
}
