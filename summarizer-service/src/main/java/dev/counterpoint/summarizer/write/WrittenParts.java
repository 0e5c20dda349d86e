package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.judge.PartJudge;
import dev.counterpoint.summarizer.judge.Verdict;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parts in a model's words: a draft, judged by our filters and then by a policy model.
///
/// One draft is under way at a time. Changes that come meanwhile wait; when it is decided, the latest of them
/// is written next and those before it are described.
public final class WrittenParts implements ModelParts {
    private final String model;
    private final String policyModel;
    private final long timeoutMillis;
    private final SummaryLanguage language;
    private final PartWriter writer;
    private final PolicyQuestion policy;
    private final PartJudge judge;
    private final HeldChanges changes;
    private final Set<String> shown = new HashSet<>();
    private final List<String> outcomes = new ArrayList<>();
    private Draft draft = new Draft.None();
    private int drafts;
    private String lastTitle = "";

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
                .substring(0, Math.min(HeldChanges.READ_MAX, job.userText().length())));
        writer = new PartWriter(job.userText(), language);
        policy = new PolicyQuestion(settings.policy().policyText(), job.confidential());
        judge = new PartJudge(job.confidential(), settings.policy().judgePolicy());
        changes = new HeldChanges(places);
    }

    /// All of it is guarded.
    @Override
    public void reasoned(String text, boolean told) {
        judge.reasoned(text);
        if (told) {
            changes.reasoned(text);
        }
    }

    @Override
    public void changed(int place, SummarySentence described) {
        changes.add(place, described);
    }

    @Override
    public void endMessage() {
        if (!(draft instanceof Draft.None)) {
            decide(PartOutcome.LATE.word(), null);
        }
        describeAllBut(0);
        changes.endMessage();
    }

    @Override
    public void shown(int place, @Nullable SummarySentence part) {
        if (changes.shown(place, part != null && part.tier() == SummaryTier.WRITTEN)) {
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

    @Override
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
        var change = changes.next();
        if (change == null) {
            return null;
        }
        var segment = changes.segment(change);
        if (segment.isBlank()) {
            describeAllBut(0);
            return null;
        }
        if (!room || !policy.canBeAsked()) {
            decide((room ? PartOutcome.TOO_MUCH : PartOutcome.NO_ROOM).word(), null);
            return null;
        }
        changes.asked(change);
        draft = new Draft.Writing(nowMillis + timeoutMillis);
        return new ModelDraft(++drafts, model, writer.task(segment, lastTitle), timeoutMillis);
    }

    private @Nullable ModelDraft judge(Draft.Written it, long nowMillis, boolean room) {
        if (!room) {
            decide(PartOutcome.NO_ROOM.word(), null);
            return null;
        }
        draft = new Draft.Judging(it.part, it.giveUpMillis);
        return new ModelDraft(++drafts, policyModel, policy.about(it.part), it.giveUpMillis - nowMillis);
    }

    @Override
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
        changes.settle(written);
    }

    private void describeAllBut(int kept) {
        while (changes.size() > kept) {
            changes.settle(null);
        }
    }

    @Override
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
