package dev.counterpoint.auditlog;

import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.TileContent;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileStore;
import java.util.List;
import java.util.Optional;

/// A log that keeps leaves and full tiles of hashes, and makes all other tiles of these when they are read.
public interface LeafTiles extends TileStore {
    /// The leaves from one index to another, in their order.
    List<byte[]> leaves(long from, long to);

    /// The hashes of the full tiles of a level from one number on, in their order; fewer where some are not there.
    List<byte[]> full(int level, long first, int count);

    @Override
    default Optional<byte[]> read(TileId id) {
        var first = id.index() * TileId.WIDTH;
        if (id.level() == TileId.ENTRIES) {
            return exactly(id, leaves(first, first + id.width())).map(TileContent::ofEntries);
        }
        if (!id.partial()) {
            return full(id.level(), id.index(), 1).stream().findFirst();
        }
        var hashes = id.level() == 0
                ? leaves(first, first + id.width()).stream()
                        .map(MerkleHash::ofLeaf)
                        .toList()
                : full(id.level() - 1, first, id.width()).stream()
                        .map(tile -> MerkleTree.ofLeaves(TileContent.hashes(tile, TileId.WIDTH))
                                .root())
                        .toList();
        return exactly(id, hashes).map(TileContent::ofHashes);
    }

    private static <T> Optional<List<T>> exactly(TileId id, List<T> found) {
        return Optional.of(found).filter(all -> all.size() == id.width());
    }
}
