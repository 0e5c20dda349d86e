package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Decides which words are reasoning and which are the answer. Not thread-safe.
///
/// What is in doubt is held as what it seems to be. A closing mark that comes then says that all of it was
/// reasoning; the end of the text says that it was what it seemed to be, if the model ended by itself.
final class Lanes {
    /// What a mark turns out to be.
    enum Meaning {
        WORDS,
        MARK,
        /// A mark between reasoning and answer.
        CHANGE
    }

    private enum Doubt {
        NONE,
        /// No mark has told anything yet.
        BEGINNING,
        /// The reasoning has ended, if it was not the mention of a mark within a line that ended it.
        TIGHT,
        /// The same, and it looks like a mention.
        LOOSE,
        /// An opening mark in the answer looks like a mention.
        SPOKEN,
        /// The mark that encloses the answer has told, which is to come again at its end.
        ENCLOSED
    }

    private final TextRule rule;
    private final List<TextPiece> pieces = new ArrayList<>();
    private final HeldText held = new HeldText();
    private final AnswerText answer = new AnswerText();
    private final Nesting nesting = new Nesting();
    /// The answer since an opening mark that looks like a mention; null for none.
    private @Nullable StringBuilder spoken;

    /// The mark at hand is such a mention.
    private boolean speaks;

    private Doubt doubt;
    private boolean answeredBeforeDoubt;
    private @Nullable MarkPair inside;
    /// The pair that was the last to open reasoning.
    private @Nullable MarkPair last;
    private boolean told;
    /// The chat template may have opened the reasoning, and the model opens it once more.
    private boolean mayRepeat;

    private boolean reasoned;
    /// Opening marks in the code of an answer.
    private int examples;
    /// A heading of reasoning stands in the held text.
    private boolean headed;
    private boolean lost;

    Lanes(TextRule rule) {
        this.rule = rule;
        boolean begun =
                rule.unmarked() == Unmarked.REASONING && !rule.reasoning().isEmpty();
        inside = begun ? rule.reasoning().getFirst() : null;
        last = inside;
        mayRepeat = begun;
        doubt = begun || rule.unmarked() == Unmarked.ANSWER ? Doubt.NONE : Doubt.BEGINNING;
    }

    List<TextPiece> take() {
        var taken = List.copyOf(pieces);
        pieces.clear();
        return taken;
    }

    void words(String text) {
        if (lost) {
            give(new TextPiece(Kind.UNTOLD, text));
        } else if (inside != null) {
            reasoned |= !text.isBlank();
            say(Kind.REASONING, text);
        } else {
            var said = answer.words(text);
            if (spoken != null && spoken.length() < Grade.HARMLESS_MAX) {
                spoken.append(text, 0, Math.min(text.length(), Grade.HARMLESS_MAX));
            }
            say(Kind.ANSWER, said);
        }
    }

    Meaning mark(Mark mark, Before before, Ahead ahead) {
        var meaning = lost
                ? Meaning.WORDS
                : switch (mark.kind()) {
                    case OPEN -> inside == null ? open(mark, before, ahead) : openInside(mark, before, ahead);
                    case CLOSE -> close(mark, before, ahead);
                    case ANSWER_OPEN -> openAnswer(mark, before);
                    case ANSWER_CLOSE -> inside == null && answer.close(mark) ? Meaning.MARK : Meaning.WORDS;
                };
        if (meaning == Meaning.WORDS) {
            words(mark.written());
        }
        if (speaks) {
            speaks = false;
            spoken = new StringBuilder();
        }
        return meaning;
    }

    void finish(boolean whole) {
        var unclear = inside != null && doubt != Doubt.TIGHT;
        boolean shown = switch (doubt) {
            case NONE -> true;
            case BEGINNING -> whole && rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE;
            case TIGHT, LOOSE, SPOKEN -> whole && !unclear;
            case ENCLOSED -> whole && !unclear && !answer.isOpen();
        };
        release(kind -> kind == Kind.ANSWER && !shown ? Kind.UNTOLD : kind);
        if (inside != null && (told || reasoned)) {
            pieces.add(new TextPiece(Kind.UNTOLD, ""));
        }
    }

    private Meaning open(Mark mark, Before before, Ahead ahead) {
        var pair = mark.pair();
        if (pair.isHeading()) {
            return openHeading(pair, before);
        }
        boolean example = before.code() && told && answer.answered();
        var grade = example ? Grade.MENTION : Grade.ofOpen(before, ahead);
        boolean early = !told && !example;
        if (grade == Grade.MENTION && early && before.alone()
                || grade == Grade.LOOSE && early && !Grade.isNamed(before, ahead)) {
            // The text may begin with reasoning between marks between quotes.
            return begin(pair);
        }
        if (grade == Grade.MENTION) {
            examples += before.code() ? 1 : 0;
            return Meaning.WORDS;
        }
        if (grade == Grade.LOOSE) {
            doubt(Doubt.SPOKEN);
            speaks = true;
            return Meaning.WORDS;
        }
        return begin(pair);
    }

    /// Headings count where an answer has not begun; those that a user may want, such as `**Reasoning:**`,
    /// only together with the heading of an answer.
    private Meaning openHeading(MarkPair pair, Before before) {
        boolean early = !told && before.lineStart() && (doubt == Doubt.BEGINNING || !answer.answered());
        if (early && Character.isLetter(pair.open().charAt(0))) {
            return begin(pair);
        }
        if (early) {
            doubt(Doubt.SPOKEN);
            headed = true;
        }
        return Meaning.WORDS;
    }

    private Meaning begin(MarkPair pair) {
        if (doubt == Doubt.BEGINNING) {
            // It may be reasoning whose opening mark was lost.
            release(_ -> Kind.REASONING);
            answer.forget(false);
        }
        say(Kind.ANSWER, answer.interrupt());
        inside = pair;
        last = pair;
        told = true;
        reasoned = false;
        nesting.clear();
        return Meaning.CHANGE;
    }

    private Meaning openInside(Mark mark, Before before, Ahead ahead) {
        var grade = Grade.ofOpen(before, ahead);
        if (mark.pair().isHeading() || grade == Grade.MENTION) {
            return Meaning.WORDS;
        }
        if (!mark.closes(requireInside())) {
            nesting.other(mark);
            return Meaning.WORDS;
        }
        if (before.code()) {
            nesting.quoted();
            return Meaning.WORDS;
        }
        if (grade == Grade.LOOSE) {
            nesting.mentioned();
            return Meaning.WORDS;
        }
        if (!mayRepeat && Grade.isInSentence(before, ahead)) {
            nesting.unsure();
            return Meaning.WORDS;
        }
        if (mayRepeat && reasoned) {
            nesting.late();
        } else if (!mayRepeat) {
            nesting.meant();
        }
        mayRepeat = false;
        return Meaning.MARK;
    }

    private MarkPair requireInside() {
        if (inside == null) {
            throw new IllegalStateException("this is no reasoning");
        }
        return inside;
    }

    private Meaning close(Mark mark, Before before, Ahead ahead) {
        var grade = Grade.ofClose(mark, before, ahead);
        if (grade == Grade.MENTION) {
            return Meaning.WORDS;
        }
        if (inside == null) {
            return closeOutside(mark, before, ahead);
        }
        if (!mark.closes(inside)) {
            boolean none = mark.pair().isHeading() || before.code() || nesting.closesOther(mark);
            return none ? Meaning.WORDS : leave(Grade.LOOSE);
        }
        return nesting.closesSpoken(grade, before, ahead) ? Meaning.WORDS : closeOnce(grade);
    }

    private Meaning closeOnce(Grade grade) {
        if (!nesting.closesMeant()) {
            return leave(nesting.isUnsure() && grade == Grade.STRONG ? Grade.TIGHT : grade);
        }
        if (grade == Grade.STRONG) {
            return leave(Grade.TIGHT);
        }
        inside = last;
        return Meaning.MARK;
    }

    /// The reasoning is over.
    private Meaning leave(Grade grade) {
        if (doubt != Doubt.TIGHT) {
            // After a mention and a second thought nobody knows what stood between them.
            release(kind -> kind == Kind.ANSWER ? Kind.UNTOLD : kind);
        }
        inside = null;
        told = true;
        mayRepeat = false;
        spoken = null;
        answer.begin();
        if (grade != Grade.STRONG) {
            doubt(grade == Grade.TIGHT ? Doubt.TIGHT : Doubt.LOOSE);
        }
        return Meaning.CHANGE;
    }

    private Meaning closeOutside(Mark mark, Before before, Ahead ahead) {
        var grade = Grade.ofClose(mark, before, ahead);
        if (mark.pair().isHeading() && !closesHeading(before)) {
            return Meaning.WORDS;
        }
        if (before.code() && examples > 0) {
            examples--;
            return Meaning.WORDS;
        }
        if (spoken != null && (Grade.isHarmless(spoken) || told && Grade.isNamed(before, ahead))) {
            spoken = null;
            return Meaning.WORDS;
        }
        return switch (doubt) {
            case NONE -> closeNothing(mark, grade);
            case BEGINNING -> {
                if (grade == Grade.LOOSE && Grade.isSpokenOf(before, ahead)) {
                    yield Meaning.WORDS;
                }
                yield revoke(Kind.REASONING, grade);
            }
            case TIGHT -> revoke(grade == Grade.LOOSE ? Kind.UNTOLD : Kind.REASONING, grade);
            case LOOSE, SPOKEN, ENCLOSED -> revoke(Kind.REASONING, grade);
        };
    }

    private boolean closesHeading(Before before) {
        return headed && (doubt == Doubt.BEGINNING || doubt == Doubt.SPOKEN)
                || doubt == Doubt.BEGINNING && rule.unmarked() == Unmarked.UNKNOWN && before.lineStart();
    }

    /// The answer is being shown.
    private Meaning closeNothing(Mark mark, Grade grade) {
        boolean other = last != null && !mark.closes(last);
        if (answer.answered() && (other || grade == Grade.LOOSE)) {
            return Meaning.WORDS;
        }
        if (answer.answered() && grade == Grade.STRONG) {
            // What was shown may have been reasoning.
            pieces.add(new TextPiece(Kind.UNTOLD, ""));
        }
        answer.begin();
        return Meaning.MARK;
    }

    /// What is held was no answer.
    private Meaning revoke(Kind kind, Grade grade) {
        release(_ -> kind);
        answer.forget(answeredBeforeDoubt);
        headed = false;
        return closeOnce(grade);
    }

    /// The mark that encloses the answer: before it, it is the reasoning that has not been closed.
    private Meaning openAnswer(Mark mark, Before before) {
        boolean begins = inside == null
                && !answer.answered()
                && (doubt != Doubt.BEGINNING || rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE);
        boolean tells = (inside != null || doubt == Doubt.BEGINNING)
                && !before.code()
                && (before.lineStart() || !before.blank());
        if (!begins && !tells) {
            return Meaning.WORDS;
        }
        if (!begins && inside == null) {
            release(_ -> Kind.REASONING);
            answer.forget(false);
        }
        if (!begins) {
            leave(Grade.STRONG);
            doubt(Doubt.ENCLOSED);
        }
        answer.enclose(mark.pair());
        return begins ? Meaning.MARK : Meaning.CHANGE;
    }

    /// What follows is held. What is in doubt already stays so, in its own way.
    private void doubt(Doubt reason) {
        if (doubt == Doubt.NONE) {
            doubt = reason;
            answeredBeforeDoubt = answer.answered();
        }
    }

    private void release(UnaryOperator<Kind> turnedOut) {
        doubt = Doubt.NONE;
        held.take(turnedOut).forEach(this::give);
        spoken = null;
    }

    private void say(Kind kind, String text) {
        if (doubt == Doubt.NONE) {
            give(new TextPiece(kind, text));
            return;
        }
        if (!text.isEmpty()) {
            held.add(kind, text);
        }
        if (held.length() > TextSplitter.HELD_CHARACTERS_MAX) {
            release(so -> so == Kind.ANSWER ? Kind.UNTOLD : so);
            lost = true;
        }
    }

    private void give(TextPiece piece) {
        if (!piece.text().isEmpty()) {
            pieces.add(piece);
        }
    }
}
