package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.summarise.Confidential;
import dev.counterpoint.summarizer.summarise.Detail;
import dev.counterpoint.summarizer.summarise.SafeSummary;
import dev.counterpoint.summarizer.summarise.Sentence;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/// [SafeSummary] in the words of the bus.
final class SafeSentences implements SentenceSource {
    private final SafeSummary summary;

    private SafeSentences(SummaryJob job) {
        summary = new SafeSummary(new Confidential(job.confidential(), job.userText()), detail(job.detail()));
    }

    @ApplicationScoped
    static class Texts implements Factory {
        @Override
        public SentenceSource begin(SummaryJob job) {
            return new SafeSentences(job);
        }
    }

    private static Detail detail(SummaryJob.Detail asked) {
        return switch (asked) {
            case AUTO -> Detail.AUTO;
            case CONCISE -> Detail.CONCISE;
            case DETAILED -> Detail.DETAILED;
        };
    }

    @Override
    public List<SummarySentence> accept(String text) {
        return summaries(summary.accept(text));
    }

    @Override
    public List<SummarySentence> endMessage() {
        return summaries(summary.endMessage());
    }

    private static List<SummarySentence> summaries(List<Sentence> sentences) {
        return sentences.stream()
                .map(sentence -> new SummarySentence(sentence.opensPart(), sentence.text()))
                .toList();
    }
}
