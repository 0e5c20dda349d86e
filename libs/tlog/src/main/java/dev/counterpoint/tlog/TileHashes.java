package dev.counterpoint.tlog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The hashes of a tree from its tiles. Nothing is verified here: a proof made from these hashes is checked
/// against a verified root. Not thread-safe.
public final class TileHashes implements SubtreeHashes {
    private static final int LEVEL_BITS = 8;
    private static final int CACHED_TILES_MAX = 64;

    private final TileStore store;
    private final long size;
    private final SequencedMap<TileId, List<MerkleHash>> cache = new LinkedHashMap<>(16, 0.75f, true);

    /// Reads the tiles of a tree.
    ///
    /// @param store store of the log
    /// @param size leaves of the tree, from a checkpoint that was published
    public TileHashes(TileStore store, long size) {
        this.store = store;
        this.size = size;
    }

    /// The tree of a published checkpoint, whose proofs come from tiles.
    ///
    /// @param store store of the log
    /// @param size leaves of the tree
    /// @return the tree
    public static MerkleTree tree(TileStore store, long size) {
        return new MerkleTree(size, new TileHashes(store, size));
    }

    @Override
    public MerkleHash at(int level, long index) {
        var within = level % LEVEL_BITS;
        var first = index << within;
        var id = TileId.inTree(level / LEVEL_BITS, first / TileId.WIDTH, size);
        var from = (int) (first % TileId.WIDTH);
        var to = from + (1 << within);
        if (to > id.width()) {
            throw new InvalidLogException("a tree of " + size + " leaves has no such complete subtree");
        }
        return MerkleHash.ofSubtree(tile(id).subList(from, to));
    }

    private List<MerkleHash> tile(TileId id) {
        var hashes = cache.get(id);
        if (hashes == null) {
            hashes = HashTile.decode(store.need(id), id);
            cache.put(id, hashes);
            if (cache.size() > CACHED_TILES_MAX) {
                cache.pollFirstEntry();
            }
        }
        return hashes;
    }
}
