package dev.counterpoint.tlog;

import java.util.Optional;
import java.util.SequencedMap;

/// Where a log keeps its tiles and its checkpoint. One process writes, any number read. Methods throw
/// [java.io.UncheckedIOException] when the storage fails.
public interface TileStore {
    /// Reads a tile or bundle.
    ///
    /// @param id full or partial tile
    /// @return its content; empty when the store does not hold exactly this tile
    Optional<byte[]> read(TileId id);

    /// Keeps tiles and bundles: all of them survive a crash after this call has returned. A tile that is there is
    /// replaced, which happens only when its leaves were never in a published checkpoint.
    ///
    /// @param tiles content by tile
    void write(SequencedMap<TileId, byte[]> tiles);

    /// Removes the partial tiles in the place of a full one, which is stored already.
    ///
    /// @param full full tile
    void deletePartials(TileId full);

    /// Reads the checkpoint that was written last.
    ///
    /// @return the note, empty for a new log
    Optional<SignedNote> checkpoint();

    /// Replaces the checkpoint, durably. All tiles of its tree were written before.
    ///
    /// @param note signed checkpoint
    void writeCheckpoint(SignedNote note);

    /// Reads a tile, or the full one that replaced it (<https://c2sp.org/tlog-tiles#partial-tiles>). For tiles of
    /// hashes only the first `width` hashes are returned, for bundles the first `width` entries.
    ///
    /// @param id full or partial tile
    /// @return its content
    /// @throws InvalidLogException when neither is there, or one is too short
    default byte[] need(TileId id) {
        var exact = read(id);
        if (exact.isPresent()) {
            return exact.get();
        }
        var full = id.partial() ? read(id.full()) : Optional.<byte[]>empty();
        var content = full.orElseThrow(() -> new InvalidLogException(id.path() + " is missing"));
        return id.level() == TileId.ENTRIES
                ? EntryBundle.encode(EntryBundle.decode(content, TileId.WIDTH).subList(0, id.width()))
                : HashTile.encode(HashTile.decode(content, id.full()).subList(0, id.width()));
    }
}
