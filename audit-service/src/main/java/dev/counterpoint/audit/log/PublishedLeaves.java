package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.SignedNote;
import java.util.List;
import java.util.stream.Collectors;

/// A record of the topic `audit-log`, as text: a signed checkpoint, an empty line, and the last leaves before it,
/// one a line.
record PublishedLeaves(SignedNote note, List<byte[]> leaves) {
    private static final String EMPTY_LINE = "\n\n";

    /// Index of the leaf after these.
    long end() {
        return Checkpoint.parse(note.text()).size();
    }

    byte[] encode() {
        return leaves.stream()
                .map(leaf -> new String(leaf, UTF_8) + "\n")
                .collect(Collectors.joining("", note + "\n", ""))
                .getBytes(UTF_8);
    }

    /// Verifies nothing.
    ///
    /// @throws dev.counterpoint.tlog.InvalidLogException for what is no such record
    static PublishedLeaves decode(byte[] bytes) {
        var text = new String(bytes, UTF_8);
        int signatures = text.indexOf(EMPTY_LINE) + EMPTY_LINE.length();
        int leaves = text.indexOf(EMPTY_LINE, signatures) + EMPTY_LINE.length();
        var note = SignedNote.parse(text.substring(0, leaves - 1).getBytes(UTF_8));
        var found = text.substring(leaves).lines().map(leaf -> leaf.getBytes(UTF_8));
        return new PublishedLeaves(note, found.toList());
    }
}
