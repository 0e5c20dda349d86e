package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.judge.PartJudge;
import dev.counterpoint.summarizer.judge.Verdict;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The written parts of one response's summary. Of each change that is due it decides whether it is told in a
/// model's words: a draft, judged by our filters and then by a policy model. Until that is decided the change's
/// place in the log is held; a described part stands there whenever a draft fails, is late or is refused.
///
/// One draft is under way at a time. Changes that come meanwhile wait; when it is decided, the latest of them
/// is written next and those before it are described. Pure: time and answers come in, prompts go out. Not
/// thread-safe.
public final class WrittenParts {
    private static final int READ_TWICE = 2;

    private final String model;
    private final String policyModel;
    private final long timeoutMillis;
    private final SummaryLanguage language;
    private final PartWriter writer;
    private final PolicyQuestion policy;
    private final PartJudge judge;
    private final Places places;

    /// Changes whose places are held, in their order.
    private final Deque<Change> changes = new ArrayDeque<>();
    /// The end of the reasoning, and where it begins in the message.
    private final StringBuilder recent = new StringBuilder();

    private final Set<String> shown = new HashSet<>();
    private final List<String> outcomes = new ArrayList<>();
    private Draft draft = new Draft.None();
    private int drafts;
    /// Characters of the message before `recent`, and before what no draft was asked about.
    private long before;

    private long askedAbout;
    private String lastTitle = "";
    /// Places that the log holds.
    private int taken;

    /// Where parts stand until it is decided how they are told.
    public interface Places {
        /// Lets go of a held place.
        ///
        /// @param written null for the described part
        void settle(int place, @Nullable SummarySentence written);
    }

    /// @param reasonedTo characters of the message up to it
    private record Change(int place, long reasonedTo) {}

    /// The draft that is under way for the first change.
    private sealed interface Draft {
        record None() implements Draft {}

        record Writing(long giveUpMillis) implements Draft {}

        /// Passed the filters; the policy model was not asked yet.
        record Written(SummaryPart part, long giveUpMillis) implements Draft {}

        record Judging(SummaryPart part, long giveUpMillis) implements Draft {}
    }

    /// @param model whose reasoning is summed up
    public WrittenParts(WriterSettings settings, SummaryJob job, String model, Places places) {
        this.model = settings.model().isEmpty() ? model : settings.model();
        policyModel = settings.policyModel().isEmpty() ? this.model : settings.policyModel();
        timeoutMillis = settings.partTimeout().toMillis();
        language = SummaryLanguage.of(job.userText()
                .substring(0, Math.min(PartWriter.READ_MAX, job.userText().length())));
        writer = new PartWriter(job.userText(), language);
        policy = new PolicyQuestion(settings.policy().policyText(), job.confidential());
        judge = new PartJudge(job.confidential(), settings.policy().judgePolicy());
        this.places = places;
    }

    /// Raw reasoning of any message: it is guarded.
    ///
    /// @param told whether the model thinks here, as opposed to calling a tool
    public void reasoned(String text, boolean told) {
        judge.reasoned(text);
        if (told) {
            recent.append(text);
            int tooMuch = recent.length() - READ_TWICE * PartWriter.READ_MAX;
            if (tooMuch > 0) {
                recent.delete(0, tooMuch);
                before += tooMuch;
            }
        }
    }

    /// A change is due at a place, which is held until it is settled.
    public void changed(int place) {
        changes.add(new Change(place, before + recent.length()));
    }

    /// The message of reasoning is over. Nothing waits: what is held is described.
    public void endMessage() {
        if (!(draft instanceof Draft.None)) {
            decide(PartOutcome.LATE.word(), null);
        }
        describeAllBut(0);
        recent.setLength(0);
        before = 0;
        askedAbout = 0;
    }

    /// The log holds the next place, whoever wrote it.
    ///
    /// @param part that stands there; null for the end of a message
    public void shown(int place, @Nullable SummarySentence part) {
        taken = place + 1;
        while (!changes.isEmpty() && changes.getFirst().place <= place) {
            var change = changes.removeFirst();
            boolean written = part != null && part.tier() == SummaryTier.WRITTEN;
            askedAbout = written ? Math.max(askedAbout, change.reasonedTo) : askedAbout;
            draft = new Draft.None();
        }
        if (part != null) {
            told(part);
        }
    }

    private void told(SummarySentence part) {
        var told = SummaryPart.ofText(part.text());
        lastTitle = told.title();
        if (part.tier() == SummaryTier.WRITTEN) {
            shown.add(folded(told));
            judge.shown(told);
        }
    }

    private static String folded(SummaryPart part) {
        return part.text().toLowerCase(Locale.ROOT);
    }

    /// What a model is to be asked now; null for nothing. Settles what has waited for too long.
    ///
    /// @param nowMillis of a clock that only goes forward
    /// @param room whether one more may be asked
    public @Nullable ModelDraft next(long nowMillis, boolean room) {
        if (nowMillis >= giveUpMillis()) {
            decide(PartOutcome.LATE.word(), null);
        }
        return switch (draft) {
            case Draft.None _ -> write(nowMillis, room);
            case Draft.Written it -> judge(it, nowMillis, room);
            case Draft.Writing _, Draft.Judging _ -> null;
        };
    }

    private long giveUpMillis() {
        return switch (draft) {
            case Draft.None _ -> Long.MAX_VALUE;
            case Draft.Writing it -> it.giveUpMillis;
            case Draft.Written it -> it.giveUpMillis;
            case Draft.Judging it -> it.giveUpMillis;
        };
    }

    private @Nullable ModelDraft write(long nowMillis, boolean room) {
        describeAllBut(1);
        // A part is judged together with those before it, so the log has to hold them.
        if (changes.isEmpty() || changes.getFirst().place > taken) {
            return null;
        }
        var change = changes.getFirst();
        var segment = segment(change.reasonedTo);
        if (segment.isBlank()) {
            describeAllBut(0);
            return null;
        }
        if (!room || !policy.canBeAsked()) {
            decide((room ? PartOutcome.TOO_MUCH : PartOutcome.NO_ROOM).word(), null);
            return null;
        }
        askedAbout = change.reasonedTo;
        draft = new Draft.Writing(nowMillis + timeoutMillis);
        return new ModelDraft(++drafts, model, writer.task(segment, lastTitle), timeoutMillis);
    }

    private String segment(long to) {
        int from = (int) Math.max(0, askedAbout - before);
        int end = (int) Math.max(from, to - before);
        return recent.substring(from, end);
    }

    private @Nullable ModelDraft judge(Draft.Written it, long nowMillis, boolean room) {
        if (!room) {
            decide(PartOutcome.NO_ROOM.word(), null);
            return null;
        }
        draft = new Draft.Judging(it.part, it.giveUpMillis);
        return new ModelDraft(++drafts, policyModel, policy.about(it.part), it.giveUpMillis - nowMillis);
    }

    /// A model answered. What comes twice, or for a draft that is under way no longer, changes nothing.
    ///
    /// @param number of the draft
    /// @param text null when nothing comes
    public void answered(int number, @Nullable String text) {
        if (number != drafts) {
            return;
        }
        switch (draft) {
            case Draft.Writing it -> written(text, it.giveUpMillis);
            case Draft.Judging it -> judged(it.part, text);
            case Draft.None _, Draft.Written _ -> {}
        }
    }

    private void written(@Nullable String text, long giveUpMillis) {
        var part = text == null ? null : PartWriter.part(text);
        if (text == null) {
            decide(PartOutcome.FAILED.word(), null);
        } else if (part == null) {
            decide(PartOutcome.MALFORMED.word(), null);
        } else if (filtered(part) instanceof SummaryPart passed) {
            draft = new Draft.Written(passed, giveUpMillis);
        }
    }

    /// The part in the characters in which it may be shown; null once it is refused.
    private @Nullable SummaryPart filtered(SummaryPart part) {
        return switch (judge.judge(part, language)) {
            case Verdict.Refused(var by) -> {
                decide(PartOutcome.word(by), null);
                yield null;
            }
            case Verdict.Shown(var plain)
            when shown.contains(folded(plain)) -> {
                decide(PartOutcome.REPEATED.word(), null);
                yield null;
            }
            case Verdict.Shown(var plain) -> plain;
        };
    }

    private void judged(SummaryPart part, @Nullable String answer) {
        if (answer == null || !PolicyQuestion.allows(answer)) {
            decide((answer == null ? PartOutcome.FAILED : PartOutcome.POLICY).word(), null);
        } else if (filtered(part) instanceof SummaryPart passed) {
            // Judged again, because the model may have gone on to think of what the part says.
            decide(PartOutcome.SHOWN.word(), new SummarySentence(true, passed.text(), SummaryTier.WRITTEN));
        }
    }

    private void decide(String outcome, @Nullable SummarySentence written) {
        outcomes.add(outcome);
        draft = new Draft.None();
        places.settle(changes.removeFirst().place, written);
    }

    private void describeAllBut(int kept) {
        while (changes.size() > kept) {
            places.settle(changes.removeFirst().place, null);
        }
    }

    /// What became of changes since the last call, as words for a metric.
    public List<String> outcomes() {
        var since = List.copyOf(outcomes);
        outcomes.clear();
        return since;
    }

    @Override
    public String toString() {
        return "WrittenParts[" + language + ", drafts=" + drafts + "]";
    }
}
