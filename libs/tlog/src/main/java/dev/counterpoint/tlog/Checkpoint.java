package dev.counterpoint.tlog;

import java.util.List;

/// A log's state: who it is, how many leaves it has, and the root of their tree.
///
/// Source: <https://c2sp.org/tlog-checkpoint>
///
/// @param origin identity of the log
/// @param size number of leaves
/// @param root root of the tree of these leaves
/// @param extensions further lines without meaning here, none of them empty; not recommended
public record Checkpoint(String origin, long size, MerkleHash root, List<String> extensions) {
    private static final int LINES_MIN = 3;

    /// Checks that every line is one line and not empty.
    public Checkpoint {
        if (size < 0) {
            throw new InvalidLogException("a negative size");
        }
        extensions = List.copyOf(extensions);
        checkLine(origin);
        extensions.forEach(Checkpoint::checkLine);
    }

    /// A checkpoint without extension lines.
    ///
    /// @param origin identity of the log
    /// @param size number of leaves
    /// @param root root of the tree
    public Checkpoint(String origin, long size, MerkleHash root) {
        this(origin, size, root, List.of());
    }

    /// Reads the text of a note as a checkpoint. The signatures are not verified.
    ///
    /// @param note note of a log
    /// @return the checkpoint
    /// @throws InvalidLogException when the text is not a checkpoint
    public static Checkpoint of(SignedNote note) {
        return parse(note.text());
    }

    static Checkpoint parse(String text) {
        var lines = List.of(text.substring(0, text.length() - 1).split("\n", -1));
        if (!text.endsWith("\n") || lines.size() < LINES_MIN) {
            throw new InvalidLogException("a checkpoint has at least " + LINES_MIN + " lines");
        }
        return new Checkpoint(
                lines.getFirst(),
                Encoding.decodeDecimal(lines.get(1)),
                MerkleHash.parse(lines.get(2)),
                lines.subList(LINES_MIN, lines.size()));
    }

    private static void checkLine(String line) {
        if (line.isEmpty() || line.indexOf('\n') >= 0) {
            throw new InvalidLogException("a line of a checkpoint is empty or holds a newline");
        }
    }

    /// The text that signatures cover.
    ///
    /// @return lines, each with its newline
    public String text() {
        var text = new StringBuilder(origin + "\n" + size + "\n" + root.base64() + "\n");
        extensions.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }
}
