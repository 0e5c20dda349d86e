package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.HashMap;
import java.util.List;

/// Appends entries to a log. Memory holds the right edge of the tree only. One thread, and one writer for each store.
///
/// The caller signs and publishes [#checkpoint] after an append. Until then the new entries are not in the log, and a
/// writer that is opened at the last checkpoint replaces them.
public final class TileLogWriter {
    private final String origin;
    private final TileStore store;
    private TreeEdge edge;

    private TileLogWriter(String origin, TileStore store, TreeEdge edge) {
        this.origin = origin;
        this.store = store;
        this.edge = edge;
    }

    /// A writer of a new log in an empty store.
    public static TileLogWriter create(String origin, TileStore store) {
        return new TileLogWriter(origin, store, new TreeEdge());
    }

    /// A writer that continues a log.
    ///
    /// @param checkpoint last published state, whose signature the caller has verified
    /// @throws InvalidLogException when the store's right edge does not have the checkpoint's root
    public static TileLogWriter open(Checkpoint checkpoint, TileStore store) {
        var edge = TreeEdge.read(store, checkpoint.size());
        require(edge.root().equals(checkpoint.root()), "the stored tiles do not have the root of the checkpoint");
        return new TileLogWriter(checkpoint.origin(), store, edge);
    }

    /// Appends entries and stores their tiles durably. After an exception nothing was appended.
    ///
    /// @param entries entries of at most 65,535 bytes each, which nobody changes afterwards
    /// @return index of the first one
    public long append(List<byte[]> entries) {
        var next = edge.copy();
        var tiles = new HashMap<TileId, byte[]>();
        entries.forEach(entry -> next.add(entry, tiles::put));
        next.partials(edge.size(), tiles::put);
        store.write(tiles);
        var first = edge.size();
        edge = next;
        return first;
    }

    /// The state after the last append, to be signed.
    public Checkpoint checkpoint() {
        return new Checkpoint(origin, edge.size(), edge.root());
    }
}
