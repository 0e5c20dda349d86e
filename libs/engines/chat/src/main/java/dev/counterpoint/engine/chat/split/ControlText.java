package dev.counterpoint.engine.chat.split;

import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds Harmony's control tokens in text that comes in pieces. Not thread-safe.
final class ControlText {
    private static final List<Integer> TOKENS = List.of(
            SpecialTokens.START,
            SpecialTokens.CHANNEL,
            SpecialTokens.MESSAGE,
            SpecialTokens.CONSTRAIN,
            SpecialTokens.END,
            SpecialTokens.CALL,
            SpecialTokens.RETURN,
            SpecialTokens.END_OF_TEXT,
            SpecialTokens.START_OF_TEXT);

    sealed interface Token permits Words, Control {}

    record Words(String text) implements Token {}

    record Control(int token) implements Token {}

    private final StringBuilder unread = new StringBuilder();
    private int from;

    void accept(String text) {
        unread.delete(0, from).append(text);
        from = 0;
    }

    String rest() {
        var rest = unread.substring(from);
        from = unread.length();
        return rest;
    }

    /// @param last whether no more text comes
    /// @return null when nothing more is certain
    @Nullable
    Token next(boolean last) {
        int at = unread.indexOf("<", from);
        while (at >= 0) {
            for (int token : TOKENS) {
                var name = SpecialTokens.text(token);
                int length = Math.min(name.length(), unread.length() - at);
                if (!name.startsWith(unread.substring(at, at + length)) || length < name.length() && last) {
                    continue;
                }
                if (at > from) {
                    return words(at);
                }
                if (length < name.length()) {
                    return null;
                }
                from = at + length;
                return new Control(token);
            }
            at = unread.indexOf("<", at + 1);
        }
        boolean half = !last && from < unread.length() && Character.isHighSurrogate(unread.charAt(unread.length() - 1));
        int to = unread.length() - (half ? 1 : 0);
        return from < to ? words(to) : null;
    }

    private Token words(int to) {
        var words = unread.substring(from, to);
        from = to;
        return new Words(words);
    }
}
