package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.summarizer.describe.WordList;
import dev.counterpoint.summarizer.write.DecidedParts;
import dev.counterpoint.summarizer.write.DescriberSettings;
import dev.counterpoint.summarizer.write.ModelParts;
import dev.counterpoint.summarizer.write.WriterSettings;
import dev.counterpoint.summarizer.write.WrittenParts;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The summaries of this deployment: described by cues, or by a model where the operator says so, and written where
/// models may write. A policy file that is not valid stops the start.
@Singleton
final class SummaryTexts implements SentenceSource.Factory {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryTexts.class);

    private final @Nullable WriterSettings writing;
    private final @Nullable DescriberSettings describing;

    /// @throws IllegalArgumentException for a policy file without a policy
    @Inject
    SummaryTexts(SummarizerConfig config) {
        var written = config.written();
        var policyModel = written.policyModel().orElse("");
        if (written.allowed() && policyModel.isEmpty()) {
            LOG.warn("written summaries are off: summarizer.written.policy-model names no model");
        }
        writing = written.allowed() && !policyModel.isEmpty() ? settings(written, policyModel) : null;
        var described = config.described();
        describing = described.byModel()
                ? new DescriberSettings(
                        described.partTimeout(), described.model().orElse(""))
                : null;
    }

    private static WriterSettings settings(SummarizerConfig.Written config, String policyModel) {
        var policy = config.policyFile()
                .map(SummaryTexts::policy)
                .orElseGet(() -> WordList.text(WriterSettings.class, "policy.md"));
        return new WriterSettings(config.partTimeout(), config.model().orElse(""), policyModel, policy);
    }

    private static String policy(Path file) {
        try {
            var policy = Files.readString(file);
            if (policy.isBlank() || policy.contains("<|")) {
                throw new IllegalArgumentException("summarizer.written.policy-file is empty or has a special token");
            }
            return policy;
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
        if (writing != null && job.tier() == SummaryTier.WRITTEN && WrittenParts.canWrite(job)) {
            return new WrittenParts(writing, job, model, places);
        }
        return describing == null ? null : new DecidedParts(describing, job, model, places);
    }
}
