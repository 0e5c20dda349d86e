package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import org.jspecify.annotations.Nullable;

/// The text of an answer without the blanks before it, and without the marks that enclose it. Not
/// thread-safe.
final class AnswerText {
    private final StringBuilder blanks = new StringBuilder();
    private @Nullable MarkPair enclosing;
    /// The mark that closes the answer, if nothing follows any more.
    private String closing = "";

    private boolean answered;
    private boolean skipsBlanks;

    /// @return what is certain to belong to the answer
    String words(String text) {
        boolean holds = !answered || enclosing != null || !closing.isEmpty();
        if (!holds) {
            return text;
        }
        if (text.isBlank()) {
            if (blanks.length() < TextSplitter.HELD_CHARACTERS_MAX) {
                blanks.append(text);
            }
            return "";
        }
        var said = !answered && skipsBlanks ? text.stripLeading() : closing + blanks + text;
        blanks.setLength(0);
        closing = "";
        answered = true;
        if (enclosing != null) {
            var body = said.stripTrailing();
            blanks.append(said, body.length(), said.length());
            said = body;
        }
        return said;
    }

    boolean answered() {
        return answered;
    }

    /// The answer begins within its marks here.
    void enclose(MarkPair pair) {
        enclosing = pair;
        skipsBlanks = true;
        blanks.setLength(0);
    }

    /// @return whether the mark is none of the text, if nothing follows any more
    boolean close(Mark mark) {
        boolean own = enclosing != null && mark.pair().close().equalsIgnoreCase(enclosing.close());
        if (own) {
            closing = mark.isControl() ? "" : blanks + mark.written();
            blanks.setLength(0);
            enclosing = null;
        }
        return own || mark.isControl();
    }

    /// Whether the mark that closes it is still to come.
    boolean isOpen() {
        return enclosing != null;
    }

    /// Reasoning begins: blanks before it are neither.
    ///
    /// @return blanks that stood within the answer
    String interrupt() {
        var inner = answered ? blanks.toString() : "";
        blanks.setLength(0);
        return inner;
    }

    /// Reasoning ended: blanks before the answer are neither.
    void begin() {
        skipsBlanks = !answered;
    }

    /// The answer so far was none.
    void forget(boolean answeredBefore) {
        answered = answeredBefore;
        enclosing = null;
        closing = "";
        blanks.setLength(0);
    }
}
