package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Reads a whole log again: every entry, every tile, and the root.
public final class TileAudit {
    private TileAudit() {}

    /// The first thing that is wrong, and the first leaf of the file where it shows: 0 where all files fit each other
    /// and only the root is wrong.
    public record Fault(long index, String reason) {}

    /// Audits a log against a checkpoint whose signatures were verified.
    ///
    /// @param receiver gets index and content of each entry, in order, before the root is known to be right
    /// @return the first fault, empty when entries and tiles have the checkpoint's root
    public static Optional<Fault> audit(TileStore store, Checkpoint checkpoint, BiConsumer<Long, byte[]> receiver) {
        BiConsumer<TileId, byte[]> compare = (id, expected) -> require(
                id.level() == TileId.ENTRIES || Arrays.equals(expected, TileContent.ofHashes(store.hashes(id))),
                id.path() + " does not fit the entries or tiles below it");
        var edge = new TreeEdge();
        long first = 0;
        try {
            while (edge.size() < checkpoint.size()) {
                first = edge.size();
                var bundle = TileId.inTree(TileId.ENTRIES, first / TileId.WIDTH, checkpoint.size());
                for (var entry : store.entries(bundle)) {
                    receiver.accept(edge.size(), entry);
                    edge.add(entry, compare);
                }
            }
            edge.partials(0, compare);
            first = 0;
            require(edge.root().equals(checkpoint.root()), "the entries do not have the root of the checkpoint");
            return Optional.empty();
        } catch (InvalidLogException e) {
            return Optional.of(new Fault(first, String.valueOf(e.getMessage())));
        }
    }
}
