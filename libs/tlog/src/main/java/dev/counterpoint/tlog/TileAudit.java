package dev.counterpoint.tlog;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Reads a whole log again: every entry, every tile, and the root.
public final class TileAudit {
    private final TileStore store;
    private Optional<Fault> fault = Optional.empty();
    private long first;

    private TileAudit(TileStore store) {
        this.store = store;
    }

    /// The first thing that is wrong.
    ///
    /// @param index first leaf of the wrong file, or of the entries with which it disagrees
    /// @param reason what is wrong
    public record Fault(long index, String reason) {}

    /// Audits a log against a checkpoint whose signatures were verified.
    ///
    /// @param entries receives index and content of each entry, in order, before the root is known to be right
    /// @return the first fault, empty when entries and tiles have the checkpoint's root
    public static Optional<Fault> audit(TileStore store, Checkpoint checkpoint, BiConsumer<Long, byte[]> entries) {
        var audit = new TileAudit(store);
        try {
            return audit.run(checkpoint, entries);
        } catch (InvalidLogException e) {
            return Optional.of(new Fault(audit.first, String.valueOf(e.getMessage())));
        }
    }

    private Optional<Fault> run(Checkpoint checkpoint, BiConsumer<Long, byte[]> receiver) {
        var edge = new TreeEdge();
        while (edge.size() < checkpoint.size() && fault.isEmpty()) {
            first = edge.size();
            for (var entry : store.entries(TileId.inTree(TileId.ENTRIES, first / TileId.WIDTH, checkpoint.size()))) {
                receiver.accept(edge.size(), entry);
                edge.add(entry, this::compare);
            }
        }
        edge.partials(0, this::compare);
        if (fault.isEmpty() && !edge.root().equals(checkpoint.root())) {
            fault = Optional.of(new Fault(0, "the entries do not have the root of the checkpoint"));
        }
        return fault;
    }

    private void compare(TileId id, byte[] expected) {
        if (id.level() != TileId.ENTRIES
                && fault.isEmpty()
                && !Arrays.equals(expected, TileContent.ofHashes(store.hashes(id)))) {
            fault = Optional.of(new Fault(first, id.path() + " does not fit the entries or tiles below it"));
        }
    }
}
