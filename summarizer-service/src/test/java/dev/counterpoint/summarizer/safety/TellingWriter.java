package dev.counterpoint.summarizer.safety;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import dev.counterpoint.summarizer.write.WriterSettings;
import dev.counterpoint.summarizer.write.WrittenParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A writer that tells all that it may not: each secret of a case, and the developer's text and the reasoning
/// in pieces of some words. Where a part is refused a described one stands.
final class TellingWriter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int WORDS = 4;
    private static final SummaryPart DESCRIBED = new SummaryPart("Thinking it through", "I'm thinking about it.");

    private final List<SummaryPart> parts = new ArrayList<>();
    private final List<SummaryPart> written = new ArrayList<>();

    private TellingWriter() {}

    /// @param written parts that stand in the writer's words
    record Summary(List<SummaryPart> parts, List<SummaryPart> written) {}

    static Summary summaryOf(SafetyRow row) {
        var writer = new TellingWriter();
        var settings = new WriterSettings(Duration.ofSeconds(8), "", "judge", "Judge it.");
        var job = new SummaryJob(SummaryJob.Detail.DETAILED, List.of(row.developer()), row.user(), SummaryTier.WRITTEN);
        if (!WrittenParts.canWrite(job)) {
            return new Summary(List.of(DESCRIBED), List.of());
        }
        var summary = new WrittenParts(settings, job, "model", writer::settle);
        summary.reasoned(row.cot(), true);
        int place = 0;
        for (var telling : tellings(row)) {
            summary.reasoned(" Go on.", true);
            summary.changed(place, new SummarySentence(true, DESCRIBED.text(), SummaryTier.DESCRIBED));
            answer(summary, json("Going on with it", "I think of " + telling + "."));
            answer(summary, "\"0\"");
            summary.shown(
                    place++, new SummarySentence(true, writer.parts.getLast().text(), writer.lastTier()));
        }
        return new Summary(writer.parts, writer.written);
    }

    private static List<String> tellings(SafetyRow row) {
        var tellings = new ArrayList<>(row.hard());
        tellings.addAll(row.soft());
        for (var text : List.of(row.developer(), row.cot())) {
            var words = List.of(text.split("\\s+"));
            for (int i = 0; i < words.size(); i += WORDS) {
                tellings.add(String.join(" ", words.subList(i, Math.min(words.size(), i + WORDS))));
            }
        }
        tellings.add("how it all fits together");
        return tellings;
    }

    private static void answer(WrittenParts summary, String text) {
        var draft = summary.next(0, true);
        if (draft != null) {
            summary.answered(draft.number(), text);
        }
    }

    private static String json(String title, String text) {
        try {
            return JSON.writeValueAsString(Map.of("title", title, "text", text));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void settle(int place, @Nullable SummarySentence part) {
        parts.add(part == null ? DESCRIBED : SummaryPart.ofText(part.text()));
        if (part != null) {
            written.add(parts.getLast());
        }
    }

    private SummaryTier lastTier() {
        return parts.getLast().equals(DESCRIBED) ? SummaryTier.DESCRIBED : SummaryTier.WRITTEN;
    }
}
