package dev.counterpoint.gateway.chat;

import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.stream.Submission;
import dev.counterpoint.gateway.turn.ServiceTier;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import org.jspecify.annotations.Nullable;

/// A checked request for one answer.
///
/// @param job what the model is told
/// @param plan what it takes to assemble the answer
/// @param summary how detailed a summary of the reasoning is due, or null for none
/// @param audit on what terms the raw trace is kept, or null when it is not
record ChatOrder(
        Caller caller,
        ChatRequest request,
        GenerationJob job,
        ChatPlan plan,
        SummaryJob.@Nullable Detail summary,
        @Nullable AuditTerms audit) {
    /// The same for one of several answers. Each draws otherwise: by a seed of its own, where the request has one.
    ///
    /// @param index of the answer, from 0
    /// @param completion id of the completion
    ChatOrder choice(int index, String completion) {
        var sampling = job.sampling();
        var own = sampling.seed() == null ? job : job.with(sampling.withSeed(sampling.seed() + index));
        return new ChatOrder(caller, request, own, plan.choice(index, completion), summary, audit);
    }

    boolean stored() {
        return Boolean.TRUE.equals(request.store());
    }

    Submission submission() {
        return new Submission(
                caller.tenant(),
                caller.key(),
                request.model(),
                job,
                summary,
                plan.rawReasoning(),
                audit,
                stored(),
                false,
                ServiceTier.of(request.serviceTier()).band(),
                WireJson.writeBytes(plan));
    }
}
