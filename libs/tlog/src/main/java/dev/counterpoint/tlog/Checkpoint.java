package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The state of a log: its identity, its number of leaves, and the root of their tree.
/// Extension lines are further lines, which a log should not write.
public record Checkpoint(String origin, long size, MerkleHash root, List<String> extensions) {
    private static final int LINES_MIN = 3;

    public Checkpoint {
        extensions = List.copyOf(extensions);
        require(size >= 0, "a checkpoint with a negative size");
        require(
                Stream.concat(Stream.of(origin), extensions.stream())
                        .noneMatch(line -> line.isEmpty() || line.chars().anyMatch(c -> c < ' ')),
                "a line of a checkpoint is empty or has a control character");
    }

    public Checkpoint(String origin, long size, MerkleHash root) {
        this(origin, size, root, List.of());
    }

    /// Reads the text of a note.
    public static Checkpoint parse(String text) {
        var lines = text.lines().toList();
        require(text.endsWith("\n") && lines.size() >= LINES_MIN, "a checkpoint has at least three lines");
        return new Checkpoint(
                lines.getFirst(),
                Encoding.decodeDecimal(lines.get(1)),
                MerkleHash.parse(lines.get(2)),
                lines.subList(LINES_MIN, lines.size()));
    }

    /// The text that signatures cover.
    public String text() {
        return Stream.concat(Stream.of(origin, Long.toString(size), root.toString()), extensions.stream())
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
