package dev.counterpoint.tlog;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;

/// Measures appending and auditing: `TileLogSpeed <new folder> <leaves>`. Entries have 250 bytes, batches 4,096
/// entries.
final class TileLogSpeed {
    private static final int BATCH = 4096;

    private TileLogSpeed() {}

    public static void main(String[] args) {
        var store = new FolderTileStore(Path.of(args[0]));
        var leaves = Integer.parseInt(args[1]);
        var writer = new TileLogWriter(new Checkpoint("speed.example/log", 0, MerkleHash.EMPTY_TREE), store);
        var start = System.nanoTime();
        for (var from = 0; from < leaves; from += BATCH) {
            var batch = new ArrayList<byte[]>();
            for (var i = from; i < Math.min(leaves, from + BATCH); i++) {
                batch.add("%0250d".formatted(i).getBytes(StandardCharsets.US_ASCII));
            }
            writer.append(batch);
        }
        report("appended with durable files", leaves, start);
        start = System.nanoTime();
        var fault = TileAudit.audit(store, writer.checkpoint(), (_, _) -> {});
        report("verified " + (fault.isEmpty() ? "without fault" : "with a fault"), leaves, start);
        start = System.nanoTime();
        var tree = MerkleTree.ofTiles(store, leaves);
        for (var i = 0; i < leaves; i += 97) {
            tree.inclusion(i);
        }
        report("proofs made", leaves / 97, start);
    }

    private static void report(String what, int count, long start) {
        var seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("%s: %d in %.2f s, %.0f/s%n", what, count, seconds, count / seconds);
    }
}
