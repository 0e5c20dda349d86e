package dev.counterpoint.tlog;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where a log keeps its tiles. One process writes, any number read. Methods throw [java.io.UncheckedIOException]
/// when the storage fails.
public interface TileStore {
    /// The content of a full or partial tile, empty when the store does not hold exactly this one.
    Optional<byte[]> read(TileId id);

    /// Keeps tiles: all of them survive a crash after this call has returned. A tile that is there already is
    /// replaced, which happens only when its leaves were never in a published checkpoint. A full tile may remove
    /// the partial ones in its place, once it is stored.
    void write(Map<TileId, byte[]> tiles);

    /// The hashes of a tile, which may come from the full one that replaced it
    /// (<https://c2sp.org/tlog-tiles#partial-tiles>).
    ///
    /// @throws InvalidLogException when neither is there, or it has the wrong length
    default List<MerkleHash> hashes(TileId id) {
        var exact = read(id);
        return exact.isPresent()
                ? TileContent.hashes(exact.get(), id.width())
                : TileContent.hashes(full(id), TileId.WIDTH).subList(0, id.width());
    }

    /// The entries of a bundle, by the same rules.
    default List<byte[]> entries(TileId id) {
        var exact = read(id);
        return exact.isPresent()
                ? TileContent.entries(exact.get(), id.width())
                : TileContent.entries(full(id), TileId.WIDTH).subList(0, id.width());
    }

    private byte[] full(TileId id) {
        return read(id.full()).orElseThrow(() -> new InvalidLogException(id.path() + " is missing"));
    }
}
