package dev.counterpoint.tlog.witness;

import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.ConsistencyProof;
import dev.counterpoint.tlog.Encoding;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.SignedNote;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The request that submits a checkpoint to a witness.
///
/// Source: <https://c2sp.org/tlog-witness#add-checkpoint>
///
/// @param oldSize size of the checkpoint that the witness cosigned last, as the log believes
/// @param hashes consistency proof from that size to the checkpoint's
/// @param note signed checkpoint
record AddCheckpoint(long oldSize, List<MerkleHash> hashes, SignedNote note) {
    private static final String OLD = "old ";
    private static final int HASHES_MAX = 63;

    AddCheckpoint {
        hashes = List.copyOf(hashes);
        if (hashes.size() > HASHES_MAX) {
            throw new InvalidLogException("more than " + HASHES_MAX + " hashes");
        }
    }

    static AddCheckpoint parse(byte[] body) {
        var text = Encoding.decodeText(body);
        var blank = text.indexOf("\n\n");
        if (!text.startsWith(OLD) || blank < 0) {
            throw new InvalidLogException("a request starts with the old size, and has an empty line");
        }
        var lines = List.of(text.substring(0, blank).split("\n", -1));
        var oldSize = Encoding.decodeDecimal(lines.getFirst().substring(OLD.length()));
        var hashes =
                lines.subList(1, lines.size()).stream().map(MerkleHash::parse).toList();
        var note = SignedNote.parse(text.substring(blank + 2).getBytes(StandardCharsets.UTF_8));
        return new AddCheckpoint(oldSize, hashes, note);
    }

    Checkpoint checkpoint() {
        return Checkpoint.of(note);
    }

    ConsistencyProof proof() {
        return new ConsistencyProof(oldSize, checkpoint().size(), hashes);
    }

    byte[] encode() {
        var text = new StringBuilder(OLD + oldSize + "\n");
        hashes.forEach(hash -> text.append(hash.base64()).append('\n'));
        return text.append('\n').append(note).toString().getBytes(StandardCharsets.UTF_8);
    }
}
