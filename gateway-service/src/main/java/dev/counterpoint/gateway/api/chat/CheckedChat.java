package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.reasoning.SummaryTierWish;
import dev.counterpoint.gateway.request.AuditConsent;
import dev.counterpoint.gateway.request.ServiceTier;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRequest;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A checked request for one answer.
///
/// @param job what the model is told
/// @param plan what it takes to assemble the answer
/// @param summary how detailed a summary of the reasoning is due, or null for none
/// @param repeatable whether the request may come again under a key
record CheckedChat(
        Caller caller,
        ChatRequest request,
        GenerationJob job,
        ChatPlan plan,
        SummaryJob.@Nullable Detail summary,
        boolean repeatable)
        implements TurnRequest {
    /// The same for one of several answers. Each draws otherwise: by a seed of its own, where the request has one.
    ///
    /// @param index of the answer, from 0
    /// @param completion id of the completion
    CheckedChat choice(int index, String completion) {
        var sampling = job.sampling();
        var own = sampling.seed() == null ? job : job.with(sampling.withSeed(sampling.seed() + index));
        return new CheckedChat(caller, request, own, plan.choice(index, completion), summary, repeatable);
    }

    boolean stored() {
        return Boolean.TRUE.equals(request.store());
    }

    /// On what terms the raw trace of a request is kept; null when it is not.
    static @Nullable AuditTerms audit(Caller caller, ChatRequest request) {
        return consent(request).terms(caller, "");
    }

    static AuditConsent consent(ChatRequest request) {
        return new AuditConsent(request.reasoningEncrypt(), request.safetyIdentifier(), request.user());
    }

    @Override
    public Submission submission(ResponseId id) {
        return new Submission(
                caller.tenant(),
                caller.key(),
                request.model(),
                job,
                summary,
                SummaryTierWish.written(request.reasoningSummaryTier(), caller),
                plan.rawReasoning(),
                audit(caller, request),
                stored(),
                repeatable ? Submission.Lifetime.REPEATABLE : Submission.Lifetime.CLIENT,
                ServiceTier.of(request.serviceTier()).band(),
                WireJson.writeBytes(plan));
    }

    @Override
    public Optional<StoredResponses.NewRow> row(ResponseId id, Instant now, Instant expiresAt) {
        return stored()
                ? Optional.of(new StoredResponses.NewRow(
                        new TurnIds(id).completion(),
                        caller.owner(),
                        caller.key(),
                        now,
                        request.model(),
                        false,
                        true,
                        null,
                        StoredChat.messages(request),
                        expiresAt,
                        null,
                        consent(request).subject()))
                : Optional.empty();
    }

    @Override
    public TurnRows.Last notQueued(ResponseId id) {
        return StoredChat.failed(new TurnIds(id).completion(), caller.tenant());
    }
}
