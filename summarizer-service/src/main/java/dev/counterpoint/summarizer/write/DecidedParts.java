package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.describe.Description;
import dev.counterpoint.summarizer.describe.DescriptionRenderer;
import dev.counterpoint.summarizer.describe.SummaryContext;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import org.jspecify.annotations.Nullable;

/// Parts in which templates render a model's choice of known values: no word of the model is shown.
public final class DecidedParts extends ModelParts {
    private final SummaryContext context;
    private final DescriptionQuestion question;
    private final DescriptionRenderer renderer = new DescriptionRenderer();
    /// The last choice of a model, and the last part with its place.
    private @Nullable Description chosen;

    private String lastText = "";
    private int lastPlace;

    /// @param model whose reasoning is summed up
    public DecidedParts(DescriberSettings settings, SummaryJob job, String model, Places places) {
        super(
                places,
                settings.model().isEmpty() ? model : settings.model(),
                settings.partTimeout().toMillis());
        context = SummaryContext.of(job.userText());
        question = new DescriptionQuestion(job.userText(), context.phrases());
    }

    @Override
    public void shown(int place, @Nullable SummarySentence part) {
        if (changes.shown(place, part != null && part.tier() == SummaryTier.DECIDED)) {
            idle();
        }
        if (part != null && place >= lastPlace) {
            lastText = part.text();
            lastPlace = place;
        }
    }

    @Override
    DraftTask question(String segment) {
        return question.about(segment);
    }

    @Override
    void answered(@Nullable String text) {
        var description = text == null ? null : question.chosen(text);
        if (description == null) {
            decline(text == null ? PartOutcome.FAILED : PartOutcome.MALFORMED);
            return;
        }
        decided(PartOutcome.DECIDED);
        chosen = description;
        settle(inOtherWords(description));
    }

    /// Cues may repeat the last choice of a model; no part has the words of the part before it.
    @Override
    void describe() {
        boolean repeats = changes.first().described().text().equals(lastText);
        settle(repeats && chosen != null ? inOtherWords(chosen) : null);
    }

    private void settle(@Nullable SummarySentence told) {
        var change = changes.first();
        lastText = (told == null ? change.described() : told).text();
        lastPlace = change.place();
        changes.settle(told);
    }

    private SummarySentence inOtherWords(Description description) {
        int variant = lastPlace;
        var part = part(description, variant);
        for (int tried = 1; part.text().equals(lastText) && tried < DescriptionRenderer.VARIANTS; tried++) {
            part = part(description, ++variant);
        }
        return new SummarySentence(true, part.text(), SummaryTier.DECIDED);
    }

    private SummaryPart part(Description description, int variant) {
        return new SummaryPart(
                renderer.title(description, context.language(), variant),
                renderer.sentence(description, context.language(), variant));
    }
}
