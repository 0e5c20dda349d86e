package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Text that waits until it is told what it is. Not thread-safe.
final class HeldText {
    private record Run(Kind kind, StringBuilder text) {}

    private final List<Run> runs = new ArrayList<>();
    private int length;

    void add(Kind kind, String text) {
        if (runs.isEmpty() || runs.getLast().kind != kind) {
            runs.add(new Run(kind, new StringBuilder()));
        }
        runs.getLast().text.append(text);
        length += text.length();
    }

    int length() {
        return length;
    }

    boolean isBlank() {
        return runs.stream().allMatch(run -> run.text.toString().isBlank());
    }

    /// Gives all of it out.
    ///
    /// @param told what each kind has turned out to be
    List<TextPiece> take(UnaryOperator<Kind> told) {
        var pieces = runs.stream()
                .map(run -> new TextPiece(told.apply(run.kind), run.text.toString()))
                .toList();
        runs.clear();
        length = 0;
        return pieces;
    }
}
