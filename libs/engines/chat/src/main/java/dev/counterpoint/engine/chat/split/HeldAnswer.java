package dev.counterpoint.engine.chat.split;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Text that may be the answer, held until the output ends, with the places of the marks in it. Not thread-safe.
final class HeldAnswer {
    private static final int NONE = -1;

    private final StringBuilder text = new StringBuilder();
    private final Set<String> closings = new HashSet<>();
    private int firstOpening = NONE;
    private int openingAfterClose = NONE;
    private int closeStart = NONE;
    private int closeEnd = NONE;

    void add(String more) {
        text.append(more);
    }

    int length() {
        return text.length();
    }

    void opening() {
        firstOpening = firstOpening < 0 ? text.length() : firstOpening;
        openingAfterClose = openingAfterClose < 0 ? text.length() : openingAfterClose;
    }

    void closing(String mark, String close) {
        closings.add(close.toLowerCase(Locale.ROOT));
        closeStart = text.length();
        closeEnd = closeStart + mark.length();
        openingAfterClose = NONE;
        text.append(mark);
    }

    boolean isClosed() {
        return closeEnd >= 0;
    }

    /// Whether an opening mark stands before the last closing one.
    boolean isOpenedBeforeClose() {
        return firstOpening >= 0 && firstOpening < closeStart;
    }

    /// Whether all closing marks are the same, and the last one stands alone on its line, as models write it.
    boolean endsCertainly() {
        int lineStart = text.lastIndexOf("\n", closeStart) + 1;
        int lineEnd = text.indexOf("\n", closeEnd);
        return closings.size() == 1
                && text.substring(lineStart, closeStart).isBlank()
                && text.substring(closeEnd, lineEnd < 0 ? text.length() : lineEnd)
                        .isBlank();
    }

    /// The text up to the last closing mark.
    String beforeClose() {
        return text.substring(0, closeStart);
    }

    /// The text between the last closing mark and the next opening one.
    String answer() {
        return text.substring(Math.max(closeEnd, 0), openingAfterClose < 0 ? text.length() : openingAfterClose);
    }

    /// The text from an opening mark on that was not closed; empty for none.
    String unclosed() {
        return openingAfterClose < 0 ? "" : text.substring(openingAfterClose);
    }

    /// All of it; further text is held anew.
    String take() {
        var all = text.toString();
        text.setLength(0);
        closings.clear();
        firstOpening = NONE;
        openingAfterClose = NONE;
        closeStart = NONE;
        closeEnd = NONE;
        return all;
    }
}
