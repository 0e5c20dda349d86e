package dev.counterpoint.engine.chat.split;

/// Follows Markdown far enough to say whether a place stands in a span or a block of code. Not thread-safe.
final class CodeTracker {
    private static final int FENCE = 3;

    private int ticks;
    private boolean fenced;
    /// The ticks that opened the span of code; 0 outside of one.
    private int span;
    private boolean lineStart = true;
    /// The ticks under way stand at the beginning of their line.
    private boolean leading;
    private boolean blankLine = true;

    void accept(String text) {
        for (int i = 0; i < text.length(); i++) {
            accept(text.charAt(i));
        }
    }

    private void accept(char c) {
        if (c == '`') {
            leading = ticks == 0 ? lineStart : leading;
            ticks++;
            lineStart = false;
            blankLine = false;
            return;
        }
        endTicks();
        if (c == '\n') {
            // A span of code does not go on beyond its paragraph.
            span = blankLine ? 0 : span;
            lineStart = true;
            blankLine = true;
        } else if (!Character.isWhitespace(c)) {
            lineStart = false;
            blankLine = false;
        }
    }

    private void endTicks() {
        if (ticks == 0) {
            return;
        }
        if (leading && ticks >= FENCE && span == 0) {
            fenced = !fenced;
        } else if (!fenced && span == 0) {
            span = ticks;
        } else if (span == ticks) {
            span = 0;
        }
        ticks = 0;
    }

    /// A mark stands here.
    boolean inCode() {
        endTicks();
        return fenced || span > 0;
    }

    /// What follows belongs to another text.
    void reset() {
        ticks = 0;
        fenced = false;
        span = 0;
        lineStart = true;
        blankLine = true;
    }
}
