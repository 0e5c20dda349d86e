package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.generation.Submission.Lifetime.BACKGROUND;
import static dev.counterpoint.gateway.generation.Submission.Lifetime.CLIENT;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.TENANT;

import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.generation.Submission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Submissions of one tenant.
final class TestSubmissions {
    static final byte[] ECHO = "{\"model\":\"gpt-oss-20b\"}".getBytes(StandardCharsets.UTF_8);
    static final GenerationJob JOB = job(new PromptItem.User("hello"));

    private TestSubmissions() {}

    static Submission submission(boolean background) {
        return submission(background, new PromptItem.User("hello"));
    }

    static Submission submission(boolean background, PromptItem item) {
        return submission(background, item, Topic.Band.NORMAL);
    }

    static Submission submission(boolean background, PromptItem item, Topic.Band band) {
        var lifetime = background ? BACKGROUND : CLIENT;
        return new Submission(TENANT, "key-1", MODEL, job(item), null, false, false, null, true, lifetime, band, ECHO);
    }

    /// Of a caller who reads raw reasoning, which is kept on these terms too.
    static Submission withRaw(AuditTerms terms) {
        return of(null, false, true, terms);
    }

    /// With a summary, which a model may write or not.
    static Submission summarised(SummaryJob.Detail detail, boolean written) {
        return of(detail, written, false, null);
    }

    private static Submission of(
            SummaryJob.@Nullable Detail detail, boolean written, boolean raw, @Nullable AuditTerms terms) {
        return new Submission(
                TENANT, "key-1", MODEL, JOB, detail, written, raw, terms, true, CLIENT, Topic.Band.NORMAL, ECHO);
    }

    private static GenerationJob job(PromptItem item) {
        return new GenerationJob(
                List.of(item),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("context"));
    }
}
