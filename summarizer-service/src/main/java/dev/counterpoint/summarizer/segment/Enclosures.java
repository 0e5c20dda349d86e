package dev.counterpoint.summarizer.segment;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Enclosures that are open: quotations, which hold a sentence together, and opaque runs (code, markup, key
/// blocks), which are never kept. What is never closed stays open to the end of the text.
final class Enclosures {
    enum Effect {
        NONE,
        /// The sentence cannot be judged as prose any more.
        SPOILT,
        /// As `SPOILT`, and the sentence ends here.
        CUT
    }

    /// Longer than every opener, closer and tag name that is looked for.
    private static final int TAIL = 48;
    /// Parts of tag names that hold what somebody else said; all between such tags is withheld.
    private static final Set<String> FOREIGN_TAGS = Set.of(
            "tool",
            "result",
            "response",
            "output",
            "system",
            "prompt",
            "instruct",
            "developer",
            "reason",
            "think",
            "thought",
            "analysis",
            "assistant",
            "user",
            "message",
            "document",
            "context",
            "search",
            "web",
            "mail",
            "untrusted",
            "secret",
            "hidden",
            "note",
            "policy",
            "function",
            "system_prompt",
            "observation");

    private final StringBuilder tail = new StringBuilder();
    /// The text that ends the opaque run, in lower case; `null` outside of one.
    private @Nullable String closer;
    private int braces;
    private int backticks;
    private int quotes;
    private boolean single;
    private char opener;

    void reset() {
        tail.setLength(0);
        closer = null;
        braces = 0;
        backticks = 0;
        quotes = 0;
        single = false;
    }

    boolean opaque() {
        return closer != null || braces > 0;
    }

    boolean open() {
        return opaque() || quotes > 0 || single;
    }

    /// Single quotation marks, being apostrophes too, do not outlive a paragraph. Returns whether one was open.
    boolean endParagraph() {
        boolean wasOpen = single;
        single = false;
        return wasOpen;
    }

    Effect accept(char previous, char c, char next) {
        remember(c);
        if (closer != null) {
            if (endsWith(closer)) {
                boolean fence = closer.equals("```");
                closer = null;
                backticks = 0;
                return fence ? Effect.CUT : Effect.SPOILT;
            }
            return Effect.SPOILT;
        }
        if (c == '{' || braces > 0) {
            braces += c == '{' ? 1 : c == '}' ? -1 : 0;
            return Effect.SPOILT;
        }
        if (opensOpaque(c)) {
            return Effect.SPOILT;
        }
        quote(previous, c, next);
        return Effect.NONE;
    }

    private boolean opensOpaque(char c) {
        backticks = c == '`' ? backticks + 1 : 0;
        closer = switch (c) {
            case '`' -> backticks == 3 ? "```" : null;
            case '-' -> endsWith("<!--") ? "-->" : null;
            case 'N' -> endsWith("-----begin") ? "-----end" : null;
            case '[' -> endsWith("[[") ? "]]" : null;
            case '>' -> foreignTag();
            default -> null;
        };
        if (closer != null) {
            // The closer must be met anew: a fence's own backticks are no end.
            tail.setLength(0);
        }
        return closer != null;
    }

    private @Nullable String foreignTag() {
        int start = tail.lastIndexOf("<");
        if (start < 0) {
            return null;
        }
        int end = start + 1;
        while (end < tail.length()
                && (Character.isLetterOrDigit(tail.charAt(end)) || "_-:".indexOf(tail.charAt(end)) >= 0)) {
            end++;
        }
        var name = tail.substring(start + 1, end);
        boolean selfClosing = tail.charAt(tail.length() - 2) == '/';
        return !selfClosing && FOREIGN_TAGS.stream().anyMatch(name::contains) ? "</" + name + ">" : null;
    }

    private void quote(char previous, char c, char next) {
        switch (c) {
            case '"' -> {
                boolean opens = quotes == 0 || mayOpen(previous) && mayBeQuoted(next);
                // After a digit it is an inch mark unless a quotation is open.
                opens &= quotes > 0 || !Character.isDigit(previous);
                quotes = opens ? quotes + 1 : Math.max(0, quotes - 1);
            }
            case '„', '「', '『', '‹' -> open(c);
            case '“' -> {
                if (quotes > 0 && opener == '„') {
                    quotes--;
                } else {
                    open(c);
                }
            }
            case '«' -> {
                if (quotes > 0 && opener == '»') {
                    quotes--;
                } else {
                    open(c);
                }
            }
            case '»' -> {
                if (quotes == 0) {
                    open(c);
                } else {
                    quotes--;
                }
            }
            case '”', '」', '』', '›' -> quotes = Math.max(0, quotes - 1);
            case '\'', '‘', '’' -> {
                if (single) {
                    single = Character.isLetterOrDigit(next);
                } else {
                    single = c != '’' && mayOpen(previous) && Character.isLetter(next);
                }
            }
            default -> {}
        }
    }

    private void open(char mark) {
        quotes++;
        opener = mark;
    }

    private static boolean mayOpen(char previous) {
        return previous == '\0' || Segmenter.isWhite(previous) || "([{:=,-—–/\"'>".indexOf(previous) >= 0;
    }

    private static boolean mayBeQuoted(char next) {
        return next != '\0' && !Segmenter.isWhite(next) && ".,;:!?)".indexOf(next) < 0;
    }

    private void remember(char c) {
        if (tail.length() >= 2 * TAIL) {
            tail.delete(0, TAIL);
        }
        tail.append(Character.toLowerCase(c));
    }

    private boolean endsWith(String end) {
        int from = tail.length() - end.length();
        return from >= 0 && tail.indexOf(end, from) == from;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "Enclosures[quotes=%d, opaque=%b]", quotes, opaque());
    }
}
