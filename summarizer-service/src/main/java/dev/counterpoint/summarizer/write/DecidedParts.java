package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.describe.Description;
import dev.counterpoint.summarizer.describe.DescriptionRenderer;
import dev.counterpoint.summarizer.describe.SummaryContext;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parts that templates tell of what a model chose from the values that there are: no word of the model's is shown.
///
/// One question is under way at a time. Changes that come meanwhile wait; when it is decided, a model is asked about
/// the latest of them and cues alone describe those before it.
public final class DecidedParts implements ModelParts {
    private final String model;
    private final long timeoutMillis;
    private final SummaryContext context;
    private final DescriptionQuestion question;
    private final DescriptionRenderer renderer = new DescriptionRenderer();
    private final HeldChanges changes;
    private final List<String> outcomes = new ArrayList<>();
    private int drafts;
    private boolean asking;
    private long giveUpMillis;
    /// What a model chose last, and the part that was told last, at this place.
    private @Nullable Description chosen;

    private String lastText = "";
    private int lastPlace;

    /// @param model whose reasoning is summed up
    public DecidedParts(DescriberSettings settings, SummaryJob job, String model, Places places) {
        this.model = settings.model().isEmpty() ? model : settings.model();
        timeoutMillis = settings.partTimeout().toMillis();
        context = SummaryContext.of(job.userText(), Map.of());
        question = new DescriptionQuestion(job.userText(), context);
        changes = new HeldChanges(places);
    }

    @Override
    public void reasoned(String text, boolean told) {
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
        if (asking) {
            describe(PartOutcome.LATE);
        }
        describeAllBut(0);
        changes.endMessage();
    }

    @Override
    public void shown(int place, @Nullable SummarySentence part) {
        if (changes.shown(place, part != null && part.tier() == SummaryTier.DECIDED)) {
            asking = false;
        }
        if (part != null && place >= lastPlace) {
            lastText = part.text();
            lastPlace = place;
        }
    }

    @Override
    public @Nullable ModelDraft next(long nowMillis, boolean room) {
        if (asking && nowMillis < giveUpMillis) {
            return null;
        }
        if (asking) {
            describe(PartOutcome.LATE);
        }
        describeAllBut(1);
        var change = changes.next();
        if (change == null) {
            return null;
        }
        var segment = changes.segment(change);
        if (segment.isBlank()) {
            describeAllBut(0);
            return null;
        }
        if (!room) {
            describe(PartOutcome.NO_ROOM);
            return null;
        }
        changes.asked(change);
        asking = true;
        giveUpMillis = nowMillis + timeoutMillis;
        return new ModelDraft(++drafts, model, question.about(segment), timeoutMillis);
    }

    @Override
    public void answered(int number, @Nullable String text) {
        if (number != drafts || !asking) {
            return;
        }
        var description = text == null ? null : question.chosen(text);
        if (description == null) {
            describe(text == null ? PartOutcome.FAILED : PartOutcome.MALFORMED);
            return;
        }
        asking = false;
        outcomes.add(PartOutcome.DECIDED.word());
        chosen = description;
        settle(inOtherWords(description));
    }

    private void describe(PartOutcome outcome) {
        asking = false;
        outcomes.add(outcome.word());
        describe();
    }

    private void describeAllBut(int kept) {
        while (changes.size() > kept) {
            describe();
        }
    }

    /// Cues may say what a model said before them; no part is told in the words of the one before.
    private void describe() {
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

    @Override
    public List<String> outcomes() {
        var since = List.copyOf(outcomes);
        outcomes.clear();
        return since;
    }

    @Override
    public String toString() {
        return "DecidedParts[" + context + ", drafts=" + drafts + "]";
    }
}
