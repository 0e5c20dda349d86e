package dev.counterpoint.cli;

import dev.counterpoint.auditlog.LogAudit;
import dev.counterpoint.auditlog.TamperedLogException;
import dev.counterpoint.auditlog.TamperedLogException.Kind;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.FolderTileStore;
import dev.counterpoint.tlog.LogPolicy;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileLogWriter;
import dev.counterpoint.tlog.TileStore;
import java.util.ArrayList;
import java.util.List;

/// A copy of a log in a folder, which only grows.
record LogMirror(FolderTileStore folder, LogPolicy policy) {
    private static final int BUNDLES_AT_ONCE = 64;

    /// Copies what a log has in addition. After an exception the copy has the checkpoint that it had.
    ///
    /// @param note checkpoint of the log, which the caller has verified
    void follow(TileStore log, SignedNote note) {
        var newer = Checkpoint.parse(note.text());
        var older = folder.checkpoint()
                .map(known -> LogAudit.verified(known.encode(), policy))
                .orElse(new Checkpoint(newer.origin(), 0, MerkleHash.EMPTY_TREE));
        LogAudit.verifyExtends(log, older, newer);
        var copy = new TileLogWriter(older, folder);
        while (copy.checkpoint().size() < newer.size()) {
            copy.append(entries(log, copy.checkpoint().size(), newer.size()));
        }
        if (!copy.checkpoint().root().equals(newer.root())) {
            throw new TamperedLogException(Kind.EDITED, older.size());
        }
        folder.publish(note);
    }

    private static List<byte[]> entries(TileStore log, long from, long size) {
        var entries = new ArrayList<byte[]>();
        for (var bundle = 0; bundle < BUNDLES_AT_ONCE && from + entries.size() < size; bundle++) {
            var at = from + entries.size();
            var id = TileId.inTree(TileId.ENTRIES, at / TileId.WIDTH, size);
            entries.addAll(log.entries(id).subList((int) (at % TileId.WIDTH), id.width()));
        }
        return entries;
    }
}
