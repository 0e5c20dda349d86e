package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.HashMap;
import java.util.List;

/// Appends entries to a log. Memory holds the right edge of the tree only. One thread, and one writer for each
/// store.
///
/// The caller signs and publishes [#checkpoint] after an append. Until then the new entries are not in the log,
/// and a writer that is opened at the last checkpoint replaces them.
public final class TileLogWriter {
    private final String origin;
    private final TileStore store;
    private TreeEdge edge;

    /// A writer that continues a log at its last published checkpoint, whose signature the caller has verified. A
    /// new log starts at the checkpoint of the empty tree. Throws [InvalidLogException] when the right edge in
    /// the store does not have the checkpoint's root.
    public TileLogWriter(Checkpoint checkpoint, TileStore store) {
        this.origin = checkpoint.origin();
        this.store = store;
        this.edge = TreeEdge.read(store, checkpoint.size());
        require(edge.root().equals(checkpoint.root()), "the stored tiles do not have the root of the checkpoint");
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

    /// Index of the next entry.
    public long size() {
        return edge.size();
    }

    /// The state after the last append, to be signed.
    public Checkpoint checkpoint() {
        return new Checkpoint(origin, edge.size(), edge.root());
    }
}
