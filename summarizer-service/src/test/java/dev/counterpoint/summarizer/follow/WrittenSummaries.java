package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.write.ModelParts;
import dev.counterpoint.summarizer.write.WriterSettings;
import dev.counterpoint.summarizer.write.WrittenParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part for each line of the reasoning, described by its number, and written by whoever the test makes
/// answer.
final class WrittenSummaries implements SentenceSource.Factory {
    private static final WriterSettings SETTINGS =
            new WriterSettings(Duration.ofMillis(PlayedDrafts.WAIT_MILLIS), "", "judge", "Judge it.");

    /// Breaks as soon as it is decided how a change is told.
    static SentenceSource.Factory broken() {
        return new SentenceSource.Factory() {
            @Override
            public SentenceSource begin(SummaryJob job) {
                return new Lines();
            }

            @Override
            public ModelParts byModel(SummaryJob job, String model, ModelParts.Places places) {
                return new WrittenParts(SETTINGS, job, model, (_, _) -> {
                    throw new IllegalStateException();
                });
            }
        };
    }

    @Override
    public SentenceSource begin(SummaryJob job) {
        return new Lines();
    }

    @Override
    public @Nullable ModelParts byModel(SummaryJob job, String model, ModelParts.Places places) {
        return job.tier() == SummaryTier.WRITTEN ? new WrittenParts(SETTINGS, job, model, places) : null;
    }

    private static final class Lines implements SentenceSource {
        private int lines;

        @Override
        public List<SummarySentence> accept(String text, long atMillis) {
            var parts = new ArrayList<SummarySentence>();
            text.chars().filter(c -> c == '\n').forEach(_ -> parts.add(part()));
            return parts;
        }

        private SummarySentence part() {
            return new SummarySentence(true, "**Step**\n\nNumber " + lines++ + ".", SummaryTier.DESCRIBED);
        }

        @Override
        public List<SummarySentence> endMessage(long atMillis) {
            return List.of();
        }

        @Override
        public String language() {
            return "en";
        }
    }
}
