package dev.counterpoint.engine.chat;

/// Finds the end of a JSON object in a text that comes in pieces. Not thread-safe.
final class JsonExtent {
    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean ended;

    /// Reads on.
    ///
    /// @param text that was not read yet
    /// @return the number of characters that belong to the object
    int read(CharSequence text) {
        int at = 0;
        while (at < text.length() && !ended) {
            read(text.charAt(at));
            at++;
        }
        return at;
    }

    /// True if the object is whole.
    boolean ended() {
        return ended;
    }

    private void read(char c) {
        if (inString) {
            inString = escaped || c != '"';
            escaped = !escaped && c == '\\';
            return;
        }
        switch (c) {
            case '"' -> inString = true;
            case '{', '[' -> depth++;
            case '}', ']' -> {
                depth--;
                ended = depth == 0;
            }
            default -> {}
        }
    }
}
