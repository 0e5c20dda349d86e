package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.TextRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tells reasoning from answer in one output, by the marks in its text. Pieces that are certain come at
/// once; where it is doubtful whether something is the answer, it waits, and is withheld in the end. Linear
/// in the text; pure but for its memory, whatever pieces the text comes in; not thread-safe.
///
/// What a mark means is seen by what stands beside it ({@link Grade}), so it waits for the next character
/// that is no blank. What follows from it is decided in {@link Lanes}.
public final class TextSplitter {
    /// The bound of the text that is held: beyond it nothing is shown any more.
    public static final int HELD_CHARACTERS_MAX = 1 << 21;

    private final MarkScanner scanner;
    private final Before.Tracker before = new Before.Tracker();
    private final Lanes lanes;
    /// A mark that waits for what stands behind it.
    private @Nullable Waiting waiting;

    private record Waiting(Mark mark, Before before, Ahead ahead) {}

    public TextSplitter(TextRule rule) {
        this(rule, MarkMentions.NONE);
    }

    /// @param conversation the marks that it speaks of
    public TextSplitter(TextRule rule, MarkMentions conversation) {
        this(rule, conversation, new MarkTable(rule));
    }

    /// @param marks of the rule
    TextSplitter(TextRule rule, MarkMentions conversation, MarkTable marks) {
        scanner = new MarkScanner(marks);
        lanes = new Lanes(rule, conversation);
    }

    /// Takes more text; gives what is certain.
    public List<TextPiece> accept(String text) {
        scanner.accept(text);
        read(false);
        return lanes.take();
    }

    /// The text is over.
    ///
    /// @param whole whether the model ended by itself, and not by a limit
    public List<TextPiece> finish(boolean whole) {
        read(true);
        settle();
        lanes.finish(whole);
        return lanes.take();
    }

    private void read(boolean last) {
        var token = scanner.next(last);
        while (token != null) {
            switch (token) {
                case Token.Words words -> words(words.text());
                case Mark mark -> mark(mark);
            }
            token = scanner.next(last);
        }
    }

    private void words(String text) {
        if (waiting == null) {
            before.words(text);
            lanes.words(text);
        } else if (waiting.ahead.accept(text) || waiting.ahead.length() > HELD_CHARACTERS_MAX) {
            settle();
        }
    }

    private void mark(Mark mark) {
        if (waiting != null && mark.kind() == Mark.Kind.ANSWER_OPEN) {
            waiting.ahead.answerOpens();
        }
        settle();
        waiting = new Waiting(mark, before.here(), new Ahead());
    }

    /// What is known of the surroundings of the mark has to do.
    private void settle() {
        if (waiting == null) {
            return;
        }
        var mark = waiting.mark;
        var told = lanes.mark(mark, waiting.before, waiting.ahead);
        switch (told) {
            case WORDS -> before.words(mark.written());
            case MARK -> before.mark();
            case CHANGE -> {
                before.mark();
                before.change();
            }
        }
        var text = waiting.ahead.text();
        waiting = null;
        if (!text.isEmpty()) {
            words(text);
        }
    }
}
