package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.List;
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

    private final TextRule rule;
    private final MarkMentions conversation;
    private final LaneOutput output;
    private final AnswerText answer = new AnswerText();
    private final Nesting nesting = new Nesting();
    private final AnswerMentions mentions = new AnswerMentions();
    private boolean answeredBeforeDoubt;
    private @Nullable MarkPair inside;
    /// The pair that was the last to open reasoning.
    private @Nullable MarkPair last;
    private boolean told;
    /// The chat template may have opened the reasoning, and the model opens it once more.
    private boolean mayRepeat;

    private boolean reasoned;
    /// A heading of reasoning stands in the held text.
    private boolean headed;
    /// The reasoning has spoken of a mark.
    private boolean thoughtOfMarks;
    /// Another mark like the one at hand may end the reasoning.
    private boolean cautious;

    /// @param conversation marks that it speaks of
    Lanes(TextRule rule, MarkMentions conversation) {
        this.rule = rule;
        this.conversation = conversation;
        boolean begun =
                rule.unmarked() == Unmarked.REASONING && !rule.reasoning().isEmpty();
        inside = begun ? rule.reasoning().getFirst() : null;
        last = inside;
        mayRepeat = begun;
        output = new LaneOutput(begun || rule.unmarked() == Unmarked.ANSWER ? Doubt.NONE : Doubt.BEGINNING);
    }

    List<TextPiece> take() {
        return output.take();
    }

    void words(String text) {
        if (inside != null) {
            reasoned |= !text.isBlank();
            output.say(Kind.REASONING, text);
        } else {
            mentions.words(text);
            output.say(Kind.ANSWER, output.isLost() ? text : answer.words(text));
        }
    }

    Meaning mark(Mark mark, Before before, Ahead ahead) {
        cautious = mark.kind() == Mark.Kind.CLOSE
                && !mark.pair().isHeading()
                && (thoughtOfMarks || conversation.has(mark.pair()) || Grade.leadsOver(before, ahead));
        var meaning = output.isLost()
                ? Meaning.WORDS
                : switch (mark.kind()) {
                    case OPEN -> inside == null ? open(mark, before, ahead) : openInside(mark, before, ahead);
                    case CLOSE -> close(mark, before, ahead);
                    case ANSWER_OPEN -> openAnswer(mark, before);
                    case ANSWER_CLOSE -> inside == null && answer.close(mark) ? Meaning.MARK : Meaning.WORDS;
                };
        if (meaning == Meaning.CHANGE && mark.kind() == Mark.Kind.CLOSE) {
            enclose(mark);
        }
        if (meaning == Meaning.WORDS) {
            thoughtOfMarks |= isOfReasoning(mark);
            words(mark.written());
        }
        mentions.said();
        return meaning;
    }

    /// Whether reasoning, or what may prove to be reasoning, speaks of a mark that could end it.
    private boolean isOfReasoning(Mark mark) {
        boolean ends = (mark.kind() == Mark.Kind.OPEN || mark.kind() == Mark.Kind.CLOSE)
                && !mark.pair().isHeading();
        return ends && (inside == null ? output.doubt() == Doubt.BEGINNING : mark.closes(inside));
    }

    void finish(boolean whole) {
        var unclear = inside != null && !output.doubt().outlastsThoughts();
        boolean shown = switch (output.doubt()) {
            case NONE -> true;
            case BEGINNING -> whole && rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE;
            case CAUTIOUS, TIGHT, LOOSE, SPOKEN -> whole && !unclear;
            case ENCLOSED -> whole && !unclear && !answer.isOpen();
        };
        output.release(kind -> shown ? kind : LaneOutput.withheld(kind));
        if (inside != null && (told || reasoned)) {
            output.warn();
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
            if (before.code()) {
                mentions.inCode();
            }
            return Meaning.WORDS;
        }
        if (grade == Grade.LOOSE) {
            doubt(Doubt.SPOKEN);
            mentions.inSentence();
            return Meaning.WORDS;
        }
        return begin(pair);
    }

    /// Headings count where an answer has not begun; those that a user may want, such as `**Reasoning:**`,
    /// only together with the heading of an answer.
    private Meaning openHeading(MarkPair pair, Before before) {
        boolean early = !told && before.lineStart() && (output.doubt() == Doubt.BEGINNING || !answer.answered());
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
        if (output.doubt() == Doubt.BEGINNING) {
            // It may be reasoning whose opening mark was lost.
            release(Kind.REASONING);
            answer.forget(false);
        }
        output.say(Kind.ANSWER, answer.interrupt());
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
        if (!output.doubt().outlastsThoughts()) {
            // After a mention and a second thought nobody knows what stood between them.
            output.release(LaneOutput::withheld);
        }
        inside = null;
        told = true;
        mayRepeat = false;
        mentions.forget();
        answer.begin();
        doubt(
                switch (grade) {
                    case STRONG -> cautious ? Doubt.CAUTIOUS : Doubt.NONE;
                    case TIGHT -> Doubt.TIGHT;
                    case LOOSE, MENTION -> Doubt.LOOSE;
                });
        return Meaning.CHANGE;
    }

    private Meaning closeOutside(Mark mark, Before before, Ahead ahead) {
        var grade = Grade.ofClose(mark, before, ahead);
        if (mark.pair().isHeading() && !closesHeading(before)) {
            return Meaning.WORDS;
        }
        if (mentions.close(before, ahead, told)) {
            return Meaning.WORDS;
        }
        return switch (output.doubt()) {
            case NONE -> closeNothing(mark, grade);
            case CAUTIOUS -> {
                boolean mention = grade == Grade.LOOSE && (before.code() || Grade.isMentioned(before, ahead));
                // Else either mark may be the one that ended the reasoning.
                yield mention || isOther(mark) || !answer.answered()
                        ? closeNothing(mark, grade)
                        : revoke(Kind.UNTOLD, grade);
            }
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
        var doubt = output.doubt();
        return headed && (doubt == Doubt.BEGINNING || doubt == Doubt.SPOKEN)
                || doubt == Doubt.BEGINNING && rule.unmarked() == Unmarked.UNKNOWN && before.lineStart();
    }

    /// The answer is being shown.
    private Meaning closeNothing(Mark mark, Grade grade) {
        if (answer.answered() && (isOther(mark) || grade == Grade.LOOSE)) {
            return Meaning.WORDS;
        }
        if (answer.answered() && grade == Grade.STRONG) {
            // What was shown may have been reasoning.
            output.warn();
        }
        answer.begin();
        return Meaning.MARK;
    }

    /// Whether it closes something else than the reasoning that was the last.
    private boolean isOther(Mark mark) {
        return last != null && !mark.closes(last);
    }

    /// What is held was no answer.
    private Meaning revoke(Kind kind, Grade grade) {
        release(kind);
        answer.forget(answeredBeforeDoubt);
        headed = false;
        return closeOnce(grade);
    }

    /// The mark that encloses the answer: before it, it is the reasoning that has not been closed.
    private Meaning openAnswer(Mark mark, Before before) {
        boolean begins = inside == null
                && !answer.answered()
                && (output.doubt() != Doubt.BEGINNING || rule.unmarked() == Unmarked.ANSWER_WHEN_WHOLE);
        boolean tells = (inside != null || output.doubt() == Doubt.BEGINNING)
                && !before.code()
                && (before.lineStart() || !before.blank());
        if (!begins && !tells) {
            return Meaning.WORDS;
        }
        if (!begins && inside == null) {
            release(Kind.REASONING);
            answer.forget(false);
        }
        if (!begins) {
            leave(Grade.STRONG);
            doubt(Doubt.ENCLOSED);
        }
        answer.enclose(mark.pair());
        return begins ? Meaning.MARK : Meaning.CHANGE;
    }

    /// Some marks close the reasoning and open the answer at once.
    private void enclose(Mark mark) {
        rule.answer().stream()
                .filter(pair -> pair.open().equalsIgnoreCase(mark.pair().close()))
                .findFirst()
                .ifPresent(answer::enclose);
    }

    private void doubt(Doubt reason) {
        if (output.doubt(reason)) {
            answeredBeforeDoubt = answer.answered();
        }
    }

    /// The doubt is over: all that is held is this.
    private void release(Kind kind) {
        output.release(_ -> kind);
        mentions.forget();
    }
}
