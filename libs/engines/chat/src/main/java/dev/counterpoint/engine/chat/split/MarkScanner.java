package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// Finds reasoning marks in text that arrives in pieces. Each character is examined a bounded number of times. Not
/// thread-safe.
final class MarkScanner {
    sealed interface Token permits Words, Mark {}

    /// Text without any mark.
    record Words(String text) implements Token {}

    /// A mark in the text.
    ///
    /// @param pair that it belongs to; others may have the same closing mark
    /// @param opens whether it is the opening mark
    /// @param written as spelled in the text
    record Mark(MarkPair pair, boolean opens, String written) implements Token {
        /// Whether it ends reasoning that `opened` began. Headings with the same meaning end each other.
        boolean closes(MarkPair opened) {
            return !opens && (opened.close().equalsIgnoreCase(pair.close()) || opened.isHeading() && pair.isHeading());
        }
    }

    private final MarkPatterns patterns;
    private final Matcher matcher;
    /// Begins with the last character that was given out, as context.
    private final StringBuilder text = new StringBuilder("\n");
    /// The first character that was not given out.
    private int from = 1;
    /// No mark begins between `from` and here.
    private int searched = 1;

    MarkScanner(List<MarkPair> pairs) {
        patterns = MarkPatterns.of(pairs);
        matcher = patterns.all().matcher("").useTransparentBounds(true);
    }

    void accept(String more) {
        text.delete(0, from - 1).append(more);
        searched -= from - 1;
        from = 1;
    }

    /// @param last whether no more text comes
    /// @return null when nothing more is certain
    @Nullable
    Token next(boolean last) {
        matcher.reset(text);
        while (searched < text.length()) {
            if (!patterns.begins(text.charAt(searched))) {
                searched++;
                continue;
            }
            boolean found = matcher.region(searched, text.length()).lookingAt();
            if (!found && (last || !matcher.hitEnd())) {
                searched++;
            } else if (searched > from) {
                return new Words(take(searched));
            } else if (matcher.hitEnd() && !last) {
                return null; // more text may complete it, or make it longer
            } else {
                searched = matcher.end();
                from = searched;
                return patterns.mark(matcher);
            }
        }
        return from < text.length() ? new Words(take(text.length())) : null;
    }

    private String take(int to) {
        var taken = text.substring(from, to);
        from = to;
        return taken;
    }
}
