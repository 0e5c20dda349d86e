package dev.counterpoint.tlog;

import java.util.LinkedHashMap;
import java.util.List;

/// Appends entries to a log. Memory holds the right edge of the tree only. One thread, and one writer for each
/// store.
///
/// The caller signs [#checkpoint] after an append and writes it with [TileStore#writeCheckpoint]; until then the new
/// entries are not published, and a writer that is opened at the last checkpoint replaces them.
public final class TileLogWriter {
    private final String origin;
    private final TileStore store;
    private TreeEdge edge;

    private TileLogWriter(String origin, TileStore store, TreeEdge edge) {
        this.origin = origin;
        this.store = store;
        this.edge = edge;
    }

    /// A writer of a new log.
    ///
    /// @param origin identity of the log
    /// @param store empty store
    /// @return the writer
    public static TileLogWriter create(String origin, TileStore store) {
        return new TileLogWriter(origin, store, new TreeEdge());
    }

    /// A writer that continues a log.
    ///
    /// @param checkpoint last published state; the caller has verified its signature
    /// @param store store of the log
    /// @return the writer
    /// @throws InvalidLogException when the store's right edge does not have the checkpoint's root
    public static TileLogWriter open(Checkpoint checkpoint, TileStore store) {
        var edge = TreeEdge.read(store, checkpoint.size());
        if (!edge.root().equals(checkpoint.root())) {
            throw new InvalidLogException("the stored tiles do not have the root of the checkpoint");
        }
        return new TileLogWriter(checkpoint.origin(), store, edge);
    }

    /// Appends entries and stores their tiles durably. When the store fails nothing was appended.
    ///
    /// @param entries entries of at most 65,535 bytes each, which nobody changes afterwards
    /// @return index of the first one
    /// @throws InvalidLogException for an entry that is too long; nothing was appended
    public long append(List<byte[]> entries) {
        var next = edge.copy();
        var tiles = new LinkedHashMap<TileId, byte[]>();
        entries.forEach(entry -> next.add(entry, tiles::put));
        next.partials(edge.size(), tiles::put);
        store.write(tiles);
        var first = edge.size();
        edge = next;
        tiles.keySet().stream().filter(id -> !id.partial()).forEach(store::deletePartials);
        return first;
    }

    /// The state after the last append.
    ///
    /// @return a checkpoint to sign
    public Checkpoint checkpoint() {
        return new Checkpoint(origin, edge.size(), edge.root());
    }
}
