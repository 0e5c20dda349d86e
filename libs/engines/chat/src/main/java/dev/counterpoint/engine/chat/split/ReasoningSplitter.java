package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.MarkScanner.Mark;
import dev.counterpoint.engine.chat.split.MarkScanner.Words;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Separates reasoning from the answer in one output, at the last closing mark. Reasoning is given out as it arrives;
/// text after its first closing mark is held until the output ends, because another closing mark may come. Linear in
/// the text; the same pieces come out however the text is cut; not thread-safe.
public final class ReasoningSplitter implements Stage {
    /// The bound of the text that is held: beyond it nothing is shown any more.
    public static final int HELD_CHARACTERS_MAX = 1 << 21;

    /// Blank lines before an answer; its indentation belongs to it.
    private static final Pattern BLANK_LINES = Pattern.compile("\\A(?:\\s*\\n|\\s+(?=\\S))");

    private enum Phase {
        /// Nothing but blanks so far.
        START,
        /// Up to the first closing mark.
        REASONING,
        HELD,
        /// Text without marks is the answer.
        STREAMING,
        /// Too much was held.
        LOST
    }

    private final TextRule rule;
    private final MarkScanner scanner;
    private final Stage answer;
    private final Consumer<? super TextPiece> out;
    private final HeldAnswer held = new HeldAnswer();
    private Phase phase;
    /// The pair that opened the reasoning; null where no mark did.
    private @Nullable MarkPair inside;

    private boolean closed;
    /// A heading such as `**Reasoning:**`: it opens reasoning only if its closing heading follows.
    private boolean tentative;
    /// The template has opened the reasoning, and the model may do so once more.
    private boolean repeats;
    /// Opening marks without a closing one: now, and when the held text began.
    private int depth;

    private int depthBefore;
    private boolean reasoned;
    private boolean answered;
    /// A mark occurs in the middle of an answer that was shown as it arrived.
    private boolean doubtful;

    /// @param answer takes what remains without the reasoning
    /// @param out takes everything else
    public ReasoningSplitter(TextRule rule, Stage answer, Consumer<? super TextPiece> out) {
        this.rule = rule;
        this.answer = answer;
        this.out = out;
        scanner = new MarkScanner(rule.reasoning());
        repeats = rule.unmarked() == Unmarked.REASONING && !rule.reasoning().isEmpty();
        phase = repeats ? Phase.REASONING : Phase.START;
        inside = repeats ? rule.reasoning().getFirst() : null;
        depth = repeats ? 1 : 0;
    }

    @Override
    public void accept(String text) {
        scanner.accept(text);
        read(false);
    }

    @Override
    public void finish(boolean whole) {
        read(true);
        boolean unclosed = phase == Phase.REASONING && (reasoned || !repeats);
        if (phase == Phase.HELD) {
            release(whole);
        } else if (unclosed || phase == Phase.STREAMING && doubtful) {
            out.accept(new TextPiece(Kind.UNTOLD, ""));
        }
        answer.finish(whole);
    }

    private void read(boolean last) {
        var token = scanner.next(last);
        while (token != null) {
            switch (token) {
                case Words(String text) -> words(text);
                case Mark mark -> mark(mark);
            }
            token = scanner.next(last);
        }
    }

    private void words(String text) {
        switch (phase) {
            case START -> start(text);
            case REASONING -> {
                reasoned |= !text.isBlank();
                say(Kind.REASONING, text);
            }
            case HELD -> hold(text);
            case STREAMING -> {
                answered |= !text.isBlank();
                say(Kind.ANSWER, text);
            }
            case LOST -> say(Kind.UNTOLD, text);
        }
    }

    private void start(String text) {
        if (text.isBlank() || rule.unmarked() != Unmarked.ANSWER) {
            phase = text.isBlank() ? Phase.START : Phase.HELD;
            hold(text);
        } else {
            phase = Phase.STREAMING;
            words(held.take() + text);
        }
    }

    private void hold(String text) {
        held.add(text);
        if (held.length() > HELD_CHARACTERS_MAX) {
            phase = Phase.LOST;
            say(Kind.UNTOLD, held.take());
        }
    }

    private void mark(Mark mark) {
        switch (phase) {
            case START -> first(mark);
            case REASONING -> inReasoning(mark);
            case HELD -> inHeld(mark);
            case STREAMING -> inAnswer(mark);
            case LOST -> words(mark.written());
        }
    }

    private void first(Mark mark) {
        var pair = mark.pair();
        if (!mark.opens() && pair.isHeading()) {
            words(mark.written());
            return;
        }
        inside = pair;
        depth = 1;
        tentative = pair.isHeading() && !Character.isLetter(pair.open().charAt(0));
        if (!mark.opens()) {
            close();
        } else if (tentative) {
            phase = Phase.HELD;
            hold(mark.written());
        } else {
            held.take();
            phase = Phase.REASONING;
        }
    }

    private void inReasoning(Mark mark) {
        boolean again = opensAgain(mark);
        if (inside != null && mark.closes(inside)) {
            close();
        } else if (again && (repeats || !reasoned)) {
            repeats = false;
        } else {
            depth += again ? 1 : 0;
            words(mark.written());
        }
    }

    private boolean opensAgain(Mark mark) {
        return inside != null && mark.opens() && mark.pair().close().equalsIgnoreCase(inside.close());
    }

    /// What follows may be the answer.
    private void close() {
        held.take();
        closed = true;
        tentative = false;
        phase = Phase.HELD;
        depth--;
        depthBefore = depth;
    }

    private void inHeld(Mark mark) {
        boolean plain = inside == null && !mark.pair().isHeading();
        if (inside != null && mark.closes(inside)) {
            revoke();
            close();
        } else if (plain && !mark.opens()) {
            held.closing(mark.written(), mark.pair().close());
        } else {
            if (plain || !tentative && opensAgain(mark)) {
                depth++;
                held.opening();
            }
            hold(mark.written());
        }
    }

    /// One more closing mark: what is held was reasoning, or an answer that mentions the mark.
    private void revoke() {
        boolean nested = tentative || depthBefore > 0;
        boolean told = nested || !doubtful && held.answer().isBlank();
        say(told ? Kind.REASONING : Kind.UNTOLD, held.take());
    }

    private void inAnswer(Mark mark) {
        if (mark.pair().isHeading() || !mark.opens() && !answered) {
            words(mark.written());
            return;
        }
        doubtful = true;
        if (mark.opens()) {
            phase = Phase.HELD;
            inside = mark.pair();
            depth = 1;
            held.opening();
            hold(mark.written());
        } else {
            words(mark.written());
        }
    }

    private void release(boolean whole) {
        boolean unmarked = tentative || inside == null && !held.isClosed();
        boolean shows = whole
                && (unmarked
                        ? rule.unmarked() == Unmarked.ANSWER || rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE
                        : inside == null ? held.endsCertainly() : closed && depthBefore <= 0);
        if (!shows) {
            say(Kind.UNTOLD, held.take());
            return;
        }
        if (held.isClosed()) {
            boolean told = rule.unmarked() == Unmarked.UNKNOWN && !held.isOpenedBeforeClose();
            say(told ? Kind.REASONING : Kind.UNTOLD, held.beforeClose());
        }
        var shown = bare(held.answer(), unmarked);
        say(Kind.ANSWER, shown.isBlank() ? "" : shown);
        say(Kind.UNTOLD, held.unclosed());
    }

    /// An answer without the blank lines before it, and without the marks around it.
    private String bare(String text, boolean unmarked) {
        var bare = unmarked ? text : BLANK_LINES.matcher(text).replaceFirst("");
        for (var pair : rule.answer()) {
            var inner = bare.strip();
            int open = pair.open().length();
            int close = pair.close().length();
            int end = inner.length() - close;
            boolean opened = inner.regionMatches(true, 0, pair.open(), 0, open);
            boolean ended = inner.regionMatches(true, end, pair.close(), 0, close);
            if (opened || ended) {
                return inner.substring(opened ? open : 0, ended ? end : inner.length())
                        .strip();
            }
        }
        return bare;
    }

    private void say(Kind kind, String text) {
        if (kind == Kind.ANSWER) {
            answer.accept(text);
        } else {
            TextPiece.give(kind, text, out);
        }
    }
}
