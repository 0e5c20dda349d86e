package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.summarizer.judge.PolicyFile;
import dev.counterpoint.summarizer.write.DecidedParts;
import dev.counterpoint.summarizer.write.DescriberSettings;
import dev.counterpoint.summarizer.write.ModelParts;
import dev.counterpoint.summarizer.write.WriterSettings;
import dev.counterpoint.summarizer.write.WrittenParts;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The summaries of this deployment: described by cues, or by a model where the operator says so, and written where
/// models may write. A policy file that is not valid stops the start.
@Singleton
final class SummaryTexts implements SentenceSource.Factory {
    private final @Nullable WriterSettings writing;
    private final @Nullable DescriberSettings describing;

    /// @throws IllegalArgumentException for a policy file with mistakes, which it names
    @Inject
    SummaryTexts(SummarizerConfig config) {
        writing = config.written().allowed() ? settings(config.written()) : null;
        var described = config.described();
        describing = described.byModel()
                ? new DescriberSettings(
                        described.partTimeout(), described.model().orElse(""))
                : null;
    }

    private static WriterSettings settings(SummarizerConfig.Written config) {
        var policy = config.policyFile().map(SummaryTexts::policy).orElse(PolicyFile.DEFAULT);
        return new WriterSettings(
                config.partTimeout(),
                config.model().orElse(""),
                config.policyModel().orElse(""),
                policy);
    }

    private static PolicyFile policy(Path file) {
        try {
            return PolicyFile.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException("summarizer.written.policy-file cannot be read", e);
        }
    }

    @Override
    public SentenceSource begin(SummaryJob job) {
        return new DescribedSentences(job);
    }

    @Override
    public @Nullable ModelParts byModel(SummaryJob job, String model, ModelParts.Places places) {
        if (writing != null && job.tier() == SummaryTier.WRITTEN) {
            return new WrittenParts(writing, job, model, places);
        }
        return describing == null ? null : new DecidedParts(describing, job, model, places);
    }
}
