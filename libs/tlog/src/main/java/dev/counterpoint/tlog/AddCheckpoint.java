package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// The request that submits a checkpoint to a witness.
///
/// @param oldSize size of the checkpoint that the witness cosigned last, as the log believes
/// @param hashes consistency proof from that size to the checkpoint's
/// @param note signed checkpoint
record AddCheckpoint(long oldSize, List<MerkleHash> hashes, SignedNote note) {
    private static final String OLD = "old ";
    private static final int HASHES_MAX = 63;

    AddCheckpoint {
        require(hashes.size() <= HASHES_MAX, "a proof of more than 63 hashes");
    }

    static AddCheckpoint parse(byte[] body) {
        var text = Encoding.decodeText(body);
        var blank = text.indexOf("\n\n");
        require(text.startsWith(OLD) && blank >= 0, "a request starts with the old size and has an empty line");
        var lines = text.substring(OLD.length(), blank).lines().toList();
        require(!lines.isEmpty(), "a request without an old size");
        return new AddCheckpoint(
                Encoding.decodeDecimal(lines.getFirst()),
                MerkleHash.parseAll(lines.subList(1, lines.size())),
                SignedNote.parse(text.substring(blank + 2).getBytes(StandardCharsets.UTF_8)));
    }

    String encode() {
        var text = new StringBuilder(OLD).append(oldSize).append('\n');
        hashes.forEach(hash -> text.append(hash).append('\n'));
        return text.append('\n').append(note).toString();
    }
}
