package dev.counterpoint.summarizer.summarise;

import dev.counterpoint.summarizer.describe.CueClassifier;
import dev.counterpoint.summarizer.describe.Description;
import dev.counterpoint.summarizer.describe.DescriptionRenderer;
import dev.counterpoint.summarizer.describe.SummaryContext;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Raw reasoning in, a described summary out; one per response. No word of the reasoning is in it: what the model does
/// is told by templates. Pure: the same text with the same times gives the same parts. Bounded memory, linear time. Not
/// thread-safe.
public final class DescribedSummary {
    private final SummaryContext context;
    private final SummaryRhythm rhythm;
    private final DescriptionRenderer renderer = new DescriptionRenderer();
    private @Nullable CueClassifier message;
    private int variant;
    private @Nullable SummaryPart last;

    public DescribedSummary(SummaryContext context, Detail detail) {
        this.context = context;
        rhythm = new SummaryRhythm(detail);
    }

    /// Takes more of the current message of reasoning.
    ///
    /// @param atMillis when the log took it
    /// @return the parts that are due now
    public List<SummaryPart> accept(String text, long atMillis) {
        if (message == null) {
            message = new CueClassifier(context);
        }
        var parts = new ArrayList<SummaryPart>();
        for (var thought : message.accept(text)) {
            add(rhythm.accept(thought, atMillis), parts);
        }
        add(rhythm.accept(atMillis), parts);
        return parts;
    }

    /// The message of reasoning is over; the next text begins another.
    ///
    /// @return the parts that are due now
    public List<SummaryPart> endMessage(long atMillis) {
        var parts = new ArrayList<SummaryPart>();
        if (message != null) {
            for (var thought : message.finish()) {
                add(rhythm.accept(thought, atMillis), parts);
            }
            add(rhythm.endMessage(), parts);
            message = null;
        }
        return parts;
    }

    public SummaryLanguage language() {
        return context.language();
    }

    /// Two descriptions may read alike. None is told in the words of the part before.
    private void add(@Nullable Description description, List<SummaryPart> parts) {
        for (int tried = 0; description != null && tried < DescriptionRenderer.VARIANTS; tried++) {
            var part = render(description, variant++);
            if (!part.equals(last)) {
                last = part;
                parts.add(part);
                return;
            }
        }
    }

    private SummaryPart render(Description description, int variant) {
        return new SummaryPart(
                renderer.title(description, context.language(), variant),
                renderer.sentence(description, context.language(), variant));
    }
}
