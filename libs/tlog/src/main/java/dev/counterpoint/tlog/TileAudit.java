package dev.counterpoint.tlog;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Reads a whole log again: every entry, every tile, and the root.
public final class TileAudit {
    private final TileStore store;
    private final Checkpoint checkpoint;
    private Optional<Fault> fault = Optional.empty();
    private long first;

    private TileAudit(TileStore store, Checkpoint checkpoint) {
        this.store = store;
        this.checkpoint = checkpoint;
    }

    /// The first thing that is wrong.
    ///
    /// @param index a leaf at or below which the log differs from its checkpoint: the first one of the wrong file
    /// @param reason the file and what is wrong with it
    public record Fault(long index, String reason) {}

    /// Audits a log against a checkpoint.
    ///
    /// @param store store of the log
    /// @param checkpoint state whose signatures were verified
    /// @param entries receives index and content of each entry, in order, before the root is known to be right
    /// @return the first fault, empty when entries and tiles have the checkpoint's root
    public static Optional<Fault> audit(TileStore store, Checkpoint checkpoint, BiConsumer<Long, byte[]> entries) {
        return new TileAudit(store, checkpoint).run(entries);
    }

    private Optional<Fault> run(BiConsumer<Long, byte[]> receiver) {
        var edge = new TreeEdge();
        try {
            while (edge.size() < checkpoint.size() && fault.isEmpty()) {
                first = edge.size();
                var id = TileId.inTree(TileId.ENTRIES, first / TileId.WIDTH, checkpoint.size());
                for (var entry : EntryBundle.decode(store.need(id), id.width())) {
                    receiver.accept(edge.size(), entry);
                    edge.add(entry, this::compare);
                }
            }
            edge.partials(0, this::compare);
        } catch (InvalidLogException e) {
            return Optional.of(new Fault(first, String.valueOf(e.getMessage())));
        }
        if (fault.isEmpty() && !edge.root().equals(checkpoint.root())) {
            fault = Optional.of(new Fault(0, "the entries do not have the root of the checkpoint"));
        }
        return fault;
    }

    private void compare(TileId id, byte[] expected) {
        if (id.level() != TileId.ENTRIES && fault.isEmpty() && !Arrays.equals(expected, store.need(id))) {
            fault = Optional.of(new Fault(first, id.path() + " does not fit the tiles or entries below it"));
        }
    }
}
