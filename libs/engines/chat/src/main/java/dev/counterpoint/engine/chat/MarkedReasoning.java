package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Takes reasoning between markers out of a text that comes in pieces; what may become a marker is held
/// back. Pure but for its memory; not thread-safe.
///
/// A marker counts wherever it stands, in code too. Inside a pair only its own marks count, and they
/// nest; a pair that is not closed goes on to the end. A closing mark without an opening one ends
/// reasoning that began with the text, where nothing was shown yet; later it is dropped.
final class MarkedReasoning {
    /// The kind of text outside of any pair.
    enum Outside {
        /// The answer.
        ANSWER,
        /// Known only with the first marker, until then held.
        UNDECIDED
    }

    /// The bound of the text that is held: beyond it nothing is shown any more.
    static final int HELD_CHARACTERS_MAX = 1 << 20;

    private final Set<ReasoningMarker> markers;
    private final StringBuilder unread = new StringBuilder();
    /// The length of the held text that has no mark in it.
    private int searched;
    private final List<TextPiece> pieces = new ArrayList<>();
    private boolean undecided;
    private boolean overflown;
    private @Nullable ReasoningMarker inside;
    private int depth;
    /// The template may have opened a pair that the model opens once more.
    private boolean mayRepeatOpening;
    /// Blanks between reasoning and answer are neither.
    private boolean skipsBlanks;

    /// @param markers that count
    /// @param outside what text before the first of them is
    /// @param begun the pair that the text begins in, or null
    MarkedReasoning(Set<ReasoningMarker> markers, Outside outside, @Nullable ReasoningMarker begun) {
        this.markers = markers;
        undecided = outside == Outside.UNDECIDED && begun == null;
        inside = begun;
        depth = begun == null ? 0 : 1;
        mayRepeatOpening = begun != null;
    }

    /// From here on it is the answer; what is held was reasoning.
    List<TextPiece> decide() {
        pieces.clear();
        if (undecided) {
            undecided = false;
            say(Kind.REASONING, take(unread.length()));
            skipsBlanks = true;
        }
        if (mayRepeatOpening) {
            leave();
        }
        return List.copyOf(pieces);
    }

    /// Takes more text; gives what is certain.
    List<TextPiece> accept(String text) {
        pieces.clear();
        unread.append(text);
        boolean more = true;
        while (more) {
            more = step();
        }
        flush();
        return List.copyOf(pieces);
    }

    /// The text is over.
    List<TextPiece> finish() {
        pieces.clear();
        if (undecided) {
            say(Kind.UNTOLD, take(unread.length()));
        } else {
            say(kind(), take(unread.length()));
            if (inside != null) {
                pieces.add(new TextPiece(Kind.UNTOLD, ""));
            }
        }
        return List.copyOf(pieces);
    }

    /// @return whether a whole marker was found and taken
    private boolean step() {
        if (overflown) {
            return false;
        }
        var found = first();
        if (found == null) {
            return false;
        }
        var before = take(found.at);
        take(found.mark.length());
        boolean opening = found.mark.equals(found.marker.open);
        if (opening) {
            open(found.marker, before);
        } else {
            close(before);
        }
        return true;
    }

    private void open(ReasoningMarker marker, String before) {
        if (inside == null) {
            undecided = false;
            say(Kind.ANSWER, before);
            inside = marker;
            depth = 1;
            return;
        }
        say(Kind.REASONING, before);
        if (mayRepeatOpening) {
            mayRepeatOpening = false;
        } else {
            depth++;
        }
    }

    private void close(String before) {
        if (inside != null) {
            say(Kind.REASONING, before);
            depth--;
            if (depth == 0) {
                leave();
            }
        } else if (undecided) {
            undecided = false;
            say(Kind.REASONING, before);
            skipsBlanks = true;
        } else {
            say(Kind.ANSWER, before);
        }
    }

    private void leave() {
        inside = null;
        depth = 0;
        mayRepeatOpening = false;
        skipsBlanks = true;
    }

    private record Found(ReasoningMarker marker, String mark, int at) {}

    /// The first mark that counts where we are.
    private @Nullable Found first() {
        Found first = null;
        for (var marker : inside == null ? markers : Set.of(inside)) {
            for (var mark : List.of(marker.open, marker.close)) {
                int at = indexOf(mark);
                if (at >= 0 && (first == null || at < first.at)) {
                    first = new Found(marker, mark, at);
                }
            }
        }
        return first;
    }

    private int indexOf(String mark) {
        for (int at = searched; at + mark.length() <= unread.length(); at++) {
            if (matches(at, mark, mark.length())) {
                return at;
            }
        }
        return -1;
    }

    private boolean matches(int at, String mark, int length) {
        for (int i = 0; i < length; i++) {
            if (Character.toLowerCase(unread.charAt(at + i)) != Character.toLowerCase(mark.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private void flush() {
        if (!undecided) {
            say(kind(), take(unread.length() - possibleBeginning()));
        } else if (unread.length() > HELD_CHARACTERS_MAX) {
            undecided = false;
            overflown = true;
            say(Kind.UNTOLD, take(unread.length()));
        } else {
            searched = unread.length() - possibleBeginning();
        }
    }

    /// Length of the longest end of the text with which a mark may begin.
    private int possibleBeginning() {
        int longest = 0;
        for (var marker : inside == null ? markers : Set.of(inside)) {
            for (var mark : List.of(marker.open, marker.close)) {
                int length = Math.min(mark.length() - 1, unread.length());
                while (length > longest && !matches(unread.length() - length, mark, length)) {
                    length--;
                }
                longest = Math.max(longest, length);
            }
        }
        return longest;
    }

    private Kind kind() {
        if (overflown) {
            return Kind.UNTOLD;
        }
        return inside == null ? Kind.ANSWER : Kind.REASONING;
    }

    private void say(Kind kind, String text) {
        if (inside != null && !text.isBlank()) {
            mayRepeatOpening = false;
        }
        var said = text;
        if (kind == Kind.ANSWER && skipsBlanks) {
            said = text.stripLeading();
            skipsBlanks = said.isEmpty();
        }
        if (!said.isEmpty()) {
            pieces.add(new TextPiece(kind, said));
        }
    }

    private String take(int length) {
        var taken = unread.substring(0, length);
        unread.delete(0, length);
        searched = 0;
        return taken;
    }
}
