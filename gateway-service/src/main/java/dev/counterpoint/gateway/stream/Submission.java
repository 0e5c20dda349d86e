package dev.counterpoint.gateway.stream;

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
/// @param rawReasoning whether the caller is entitled to raw reasoning and wants it
/// @param audit on what terms the raw trace is kept, or null when it is not
/// @param stored whether a row is kept, so that the response outlives its client's connection
/// @param background whether it goes on without a client
/// @param band how soon a worker takes it
/// @param echo what a replica needs to assemble the events without the request, UTF-8 JSON; sealed before it is sent
public record Submission(
        String tenant,
        String key,
        String model,
        GenerationJob job,
        SummaryJob.@Nullable Detail summary,
        boolean rawReasoning,
        @Nullable AuditTerms audit,
        boolean stored,
        boolean background,
        Topic.Band band,
        byte[] echo) {
    @Override
    public String toString() {
        return "Submission[tenant=%s, model=%s]".formatted(tenant, model);
    }
}
