package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.describe.SummaryContext;
import dev.counterpoint.summarizer.summarise.DescribedSummary;
import dev.counterpoint.summarizer.summarise.Detail;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.List;

/// [DescribedSummary] in the words of the bus.
final class DescribedSentences implements SentenceSource {
    private final DescribedSummary summary;

    DescribedSentences(SummaryJob job) {
        summary = new DescribedSummary(SummaryContext.of(job.userText()), detail(job.detail()));
    }

    private static Detail detail(SummaryJob.Detail asked) {
        return switch (asked) {
            case AUTO -> Detail.AUTO;
            case CONCISE -> Detail.CONCISE;
            case DETAILED -> Detail.DETAILED;
        };
    }

    @Override
    public List<SummarySentence> accept(String text, long atMillis) {
        return parts(summary.accept(text, atMillis));
    }

    @Override
    public List<SummarySentence> endMessage(long atMillis) {
        return parts(summary.endMessage(atMillis));
    }

    private static List<SummarySentence> parts(List<SummaryPart> parts) {
        return parts.stream()
                .map(part -> new SummarySentence(true, part.text(), SummaryTier.DESCRIBED))
                .toList();
    }

    @Override
    public String language() {
        return summary.language().tag();
    }
}
