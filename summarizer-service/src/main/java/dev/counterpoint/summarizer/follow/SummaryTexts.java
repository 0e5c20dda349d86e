package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.summarizer.judge.PolicyFile;
import dev.counterpoint.summarizer.write.WriterSettings;
import dev.counterpoint.summarizer.write.WrittenParts;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The summaries of this deployment: described, and written where models may write. A policy file that is not
/// valid stops the start.
@Singleton
final class SummaryTexts implements SentenceSource.Factory {
    private final @Nullable WriterSettings settings;

    /// @throws IllegalArgumentException for a policy file with mistakes, which it names
    @Inject
    SummaryTexts(SummarizerConfig config) {
        settings = config.written().allowed() ? settings(config.written()) : null;
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
    public @Nullable WrittenParts writing(SummaryJob job, String model, WrittenParts.Places places) {
        return settings == null ? null : new WrittenParts(settings, job, model, places);
    }
}
