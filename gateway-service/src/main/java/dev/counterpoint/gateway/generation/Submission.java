package dev.counterpoint.gateway.generation;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.Topic;
import org.jspecify.annotations.Nullable;

/// A checked request on its way to a model.
///
/// @param tenant id of the tenant that asks
/// @param key id of the API key
/// @param model a name that `/v1/models` lists
/// @param job what the model is to do
/// @param summary how detailed a summary of the reasoning is wanted, or null for none
/// @param writtenSummary whether a model may write the summary
/// @param rawReasoning whether the caller is entitled to raw reasoning and wants it
/// @param audit on what terms the raw trace is kept, or null when it is not
/// @param stored whether a row is kept, so that another gateway finishes the response when this one dies
/// @param lifetime when it ends before its time
/// @param band how soon a worker takes it
/// @param echo what a replica needs to assemble the events without the request, UTF-8 JSON; sealed before it is sent
public record Submission(
        String tenant,
        String key,
        String model,
        GenerationJob job,
        SummaryJob.@Nullable Detail summary,
        boolean writtenSummary,
        boolean rawReasoning,
        @Nullable AuditTerms audit,
        boolean stored,
        Lifetime lifetime,
        Topic.Band band,
        byte[] echo) {
    /// The context that the echo of a response is sealed to.
    public static String echoContext(ResponseId response) {
        return "echo|" + response;
    }

    /// The fate of a response whose client leaves.
    public enum Lifetime {
        /// The response ends.
        CLIENT,
        /// The response goes on, because the client may come back under its idempotency key.
        REPEATABLE,
        /// The response goes on, with this gateway or another one.
        BACKGROUND;

        public boolean outlivesClient() {
            return this != CLIENT;
        }
    }

    @Override
    public String toString() {
        return "Submission[tenant=%s, model=%s]".formatted(tenant, model);
    }
}
