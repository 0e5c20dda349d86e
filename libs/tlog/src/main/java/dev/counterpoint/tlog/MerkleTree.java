package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/// The tree of a log's first `size` leaves: its root and the proofs about it.
public record MerkleTree(long size, Subtrees subtrees) {
    private static final int CACHED_TILES_MAX = 64;

    /// Where hashes come from: tiles, a database, memory.
    @FunctionalInterface
    public interface Subtrees {
        /// The root of a complete subtree: of the leaves `[index << height, (index + 1) << height)`.
        MerkleHash root(int height, long index);
    }

    public MerkleTree {
        require(size >= 0, "a tree with a negative size");
    }

    /// The tree of leaves in memory. Every call hashes again what it needs.
    public static MerkleTree ofLeaves(List<MerkleHash> leaves) {
        return new MerkleTree(leaves.size(), (height, index) -> {
            var from = Math.toIntExact(index << height);
            return MerkleHash.ofSubtree(leaves.subList(from, from + (1 << height)));
        });
    }

    /// The tree of a published checkpoint, with hashes from tiles. Nothing is verified here: compare [#root] with
    /// the checkpoint's, or check the proofs against it. Not thread-safe.
    public static MerkleTree ofTiles(TileStore store, long size) {
        var cache = new HashMap<TileId, List<MerkleHash>>();
        return ofTiles(size, (level, index) -> {
            if (cache.size() == CACHED_TILES_MAX) {
                cache.clear();
            }
            return cache.computeIfAbsent(TileId.inTree(level, index, size), store::hashes);
        });
    }

    static MerkleTree ofTiles(long size, BiFunction<Integer, Long, List<MerkleHash>> tiles) {
        return new MerkleTree(size, (height, index) -> {
            var within = height % TileId.LEVEL_BITS;
            var first = index << within;
            var from = (int) (first % TileId.WIDTH);
            var tile = tiles.apply(height / TileId.LEVEL_BITS, first / TileId.WIDTH);
            return MerkleHash.ofSubtree(tile.subList(from, from + (1 << within)));
        });
    }

    /// The hash of the whole tree (section 2.1).
    public MerkleHash root() {
        return size == 0 ? MerkleHash.EMPTY_TREE : range(0, size);
    }

    /// Proves that a leaf is in this tree: `PATH(m, D[n])` of section 2.1.1.
    public InclusionProof inclusion(long index) {
        Objects.checkIndex(index, size);
        var path = new ArrayList<MerkleHash>();
        descend(index, index, path);
        return new InclusionProof(index, size, path);
    }

    /// Proves that this tree extends the one of its first `oldSize` leaves: `PROOF(m, D[n])` of section 2.1.2.
    /// From the empty tree and from the same size the proof is empty.
    public ConsistencyProof consistency(long oldSize) {
        Objects.checkFromToIndex(oldSize, size, size);
        var path = new ArrayList<MerkleHash>();
        var from = oldSize == 0 ? 0 : descend(0, oldSize - 1, path);
        // From 0 the last range is the whole old tree, whose root the verifier has.
        if (from > 0) {
            path.addFirst(range(from, oldSize));
        }
        return new ConsistencyProof(oldSize, size, path);
    }

    /// Collects the siblings on the way down to the range that ends with the leaf `last` and starts at `first` or
    /// after.
    ///
    /// @return where this range starts
    private long descend(long first, long last, List<MerkleHash> path) {
        long from = 0;
        var to = size;
        while (from < first || to > last + 1) {
            var middle = from + split(to - from);
            if (last < middle) {
                path.addFirst(range(middle, to));
                to = middle;
            } else {
                path.addFirst(range(from, middle));
                from = middle;
            }
        }
        return from;
    }

    private MerkleHash range(long from, long to) {
        var count = to - from;
        if (Long.bitCount(count) == 1) {
            return subtrees.root(Long.numberOfTrailingZeros(count), from / count);
        }
        var middle = from + split(count);
        return MerkleHash.ofNode(range(from, middle), range(middle, to));
    }

    /// The largest power of two below a number above 1.
    private static long split(long count) {
        return Long.highestOneBit(count - 1);
    }
}
