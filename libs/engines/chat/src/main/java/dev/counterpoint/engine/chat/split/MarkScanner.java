package dev.counterpoint.engine.chat.split;

import org.jspecify.annotations.Nullable;

/// Finds marks in text that comes in pieces. Each character is looked at a bounded number of times. Not
/// thread-safe.
final class MarkScanner {
    /// The last character that is given out.
    private char before = '\n';

    private final MarkTable wanted;
    private final StringBuilder unread = new StringBuilder();
    /// Where the text begins that is not given out.
    private int from;
    /// No mark begins between that and here.
    private int searched;

    MarkScanner(MarkTable wanted) {
        this.wanted = wanted;
    }

    void accept(String text) {
        unread.delete(0, from).append(text);
        searched -= from;
        from = 0;
    }

    /// @param last whether no more text comes
    /// @return null when nothing more is certain
    @Nullable
    Token next(boolean last) {
        while (searched < unread.length()) {
            var found = beginsHere() ? find(last) : null;
            if (found == null) {
                searched++;
            } else if (searched > from) {
                return words(searched);
            } else if (found.length == MarkSpelling.PERHAPS) {
                return null;
            } else {
                return mark(found);
            }
        }
        return from < unread.length() ? words(unread.length()) : null;
    }

    private Token mark(Found found) {
        var written = take(from + found.length);
        searched = from;
        return new Mark(found.entry.kind(), found.entry.pair(), written);
    }

    /// No mark begins within a word.
    private boolean beginsHere() {
        char c = Character.toLowerCase(unread.charAt(searched));
        char previous = searched > from ? unread.charAt(searched - 1) : before;
        if (Character.isLetterOrDigit(c) && Character.isLetterOrDigit(previous)) {
            return false;
        }
        return wanted.begins(c);
    }

    private record Found(MarkTable.Entry entry, int length) {}

    /// The longest of the marks that stand here. One that may still become longer makes it wait.
    private @Nullable Found find(boolean last) {
        Found longest = null;
        char second = second();
        for (var each : wanted.beginningWith(Character.toLowerCase(unread.charAt(searched)))) {
            if (second != 0 && second != each.second()) {
                continue;
            }
            int length = each.spelling().at(unread, searched);
            if (length == MarkSpelling.PERHAPS && !last) {
                return new Found(each, length);
            }
            if (length > 0 && (longest == null || length > longest.length)) {
                longest = new Found(each, length);
            }
        }
        return longest;
    }

    /// The next character that is no blank, in small letters; 0 if it has not come yet, or may be far.
    private char second() {
        int at = searched + 1;
        while (at < unread.length() && at <= searched + MarkSpelling.BLANKS_MAX) {
            char c = unread.charAt(at);
            if (!Character.isWhitespace(c)) {
                return Character.toLowerCase(c);
            }
            at++;
        }
        return 0;
    }

    private Token words(int to) {
        return new Token.Words(take(to));
    }

    private String take(int to) {
        var taken = unread.substring(from, to);
        before = taken.charAt(taken.length() - 1);
        from = to;
        return taken;
    }
}
