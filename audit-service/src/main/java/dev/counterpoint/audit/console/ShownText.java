package dev.counterpoint.audit.console;

import java.util.ArrayList;
import java.util.List;

/// Text of a model as a page shows it: as text, with everything visible that could hide or reorder it.
final class ShownText {
    private static final int LINES_MAX = 25;
    private static final int CHARACTERS_MAX = 2_000;

    private ShownText() {}

    /// The text in pieces. Each fits a screen together with the band above it.
    static List<String> pieces(String text) {
        var pieces = new ArrayList<String>();
        var piece = new StringBuilder();
        int lines = 0;
        for (int character : text.codePoints().toArray()) {
            append(piece, character);
            lines += character == '\n' ? 1 : 0;
            if (lines == LINES_MAX || piece.length() >= CHARACTERS_MAX) {
                pieces.add(piece.toString());
                piece.setLength(0);
                lines = 0;
            }
        }
        if (!piece.isEmpty() || pieces.isEmpty()) {
            pieces.add(piece.toString());
        }
        return List.copyOf(pieces);
    }

    static String of(String text) {
        var shown = new StringBuilder();
        text.codePoints().forEach(character -> append(shown, character));
        return shown.toString();
    }

    private static void append(StringBuilder shown, int character) {
        if (isSeen(character)) {
            shown.appendCodePoint(character);
        } else {
            shown.append("⟦U+%04X⟧".formatted(character));
        }
    }

    /// Tags of languages and variation selectors draw nothing of their own, either.
    private static boolean isSeen(int character) {
        return character == '\n'
                || character == '\t'
                || switch (Character.getType(character)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default ->
                        !(character >= 0xFE00 && character <= 0xFE0F)
                                && !(character >= 0xE0100 && character <= 0xE01EF)
                                && character != 0x3164
                                && character != 0x115F
                                && character != 0x1160
                                && character != 0xFFA0
                                && character != 0x2800;
                };
    }
}
