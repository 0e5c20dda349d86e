package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.judge.PartJudge;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parts in a model's words: a draft, which the judge and then a policy model have to allow.
public final class WrittenParts extends ModelParts {
    private final String policyModel;
    private final PartWriter writer;
    private final PolicyQuestion policy;
    private final PartJudge judge;
    private final Set<String> shown = new HashSet<>();
    private String lastTitle = "";
    /// The part that was written for the first change and passed the judge.
    private @Nullable SummaryPart written;

    private boolean policyAsked;

    /// @param model whose reasoning is summed up
    public WrittenParts(WriterSettings settings, SummaryJob job, String model, Places places) {
        super(
                places,
                settings.model().isEmpty() ? model : settings.model(),
                settings.partTimeout().toMillis());
        policyModel = settings.policyModel();
        var language = language(job);
        writer = new PartWriter(job.userText(), language);
        policy = new PolicyQuestion(settings.policy(), job.confidential());
        judge = new PartJudge(language, job.userText(), job.confidential());
    }

    /// True if parts can be written for this request: its language has a list of words.
    public static boolean canWrite(SummaryJob job) {
        return PartJudge.reads(language(job));
    }

    private static SummaryLanguage language(SummaryJob job) {
        var text = job.userText();
        return SummaryLanguage.of(text.substring(0, Math.min(HeldChanges.READ_MAX, text.length())));
    }

    @Override
    public void reasoned(String text, boolean told) {
        judge.reasoned(text);
        super.reasoned(text, told);
    }

    @Override
    public void shown(int place, @Nullable SummarySentence part) {
        boolean byModel = part != null && part.tier() == SummaryTier.WRITTEN;
        if (changes.shown(place, byModel)) {
            idle();
        }
        if (part != null) {
            var told = SummaryPart.ofText(part.text());
            lastTitle = told.title();
            if (byModel) {
                shown.add(folded(told));
                judge.shown(told);
            }
        }
    }

    private static String folded(SummaryPart part) {
        return part.text().toLowerCase(Locale.ROOT);
    }

    @Override
    @Nullable
    DraftTask question(String segment) {
        return policy.canBeAsked() ? writer.task(segment, lastTitle) : null;
    }

    @Override
    @Nullable
    ModelDraft secondDraft(long nowMillis, boolean room) {
        var part = written;
        if (part == null || policyAsked) {
            return null;
        }
        if (!room) {
            decline(PartOutcome.NO_ROOM);
            return null;
        }
        policyAsked = true;
        return draft(nowMillis, policyModel, policy.about(part));
    }

    @Override
    void answered(@Nullable String text) {
        if (text == null) {
            decline(PartOutcome.FAILED);
        } else if (written == null) {
            var part = PartWriter.part(text);
            if (part == null) {
                decline(PartOutcome.MALFORMED);
            } else if (passes(part)) {
                written = part;
            }
        } else if (policyAsked) {
            judged(written, text);
        }
    }

    private void judged(SummaryPart part, String answer) {
        if (!PolicyQuestion.allows(answer)) {
            decline(PartOutcome.POLICY);
        } else if (passes(part)) {
            // Judged again, because the model may have thought of the part's words since.
            decided(PartOutcome.SHOWN);
            changes.settle(new SummarySentence(true, part.text(), SummaryTier.WRITTEN));
        }
    }

    /// True if the part may be shown; otherwise cues describe the change.
    private boolean passes(SummaryPart part) {
        var refusal = judge.judge(part);
        boolean repeated = shown.contains(folded(part));
        if (refusal != null || repeated) {
            decline(refusal != null ? refusal : PartOutcome.REPEATED);
            return false;
        }
        return true;
    }

    @Override
    void idle() {
        super.idle();
        written = null;
        policyAsked = false;
    }
}
