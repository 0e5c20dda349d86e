package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.reasoning.SummaryTierWish;
import dev.counterpoint.gateway.request.AuditConsent;
import dev.counterpoint.gateway.request.ServiceTier;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRequest;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A checked request to create a response.
///
/// @param translated the request in the words of the suite
/// @param facts with which it was translated
/// @param place in a conversation, where the request names one
/// @param repeatable whether the request may come again under a key
record CheckedResponse(
        Caller caller,
        CreateResponse request,
        TranslatedRequest translated,
        TranslatedRequest.Facts facts,
        StoredResponses.@Nullable Place place,
        boolean repeatable)
        implements TurnRequest {
    /// The same with a conversation that stands in one item.
    CheckedResponse compacted(Compactions.Compacted made) {
        return new CheckedResponse(
                caller, request, translated.compacted(request, made, facts), facts, place, repeatable);
    }

    /// The same with another plan.
    CheckedResponse with(ResponsePlan plan) {
        return new CheckedResponse(caller, request, translated.with(plan), facts, place, repeatable);
    }

    ResponsePlan plan() {
        return translated.plan();
    }

    boolean stored() {
        return plan().echo().stored();
    }

    @Override
    public GenerationJob job() {
        return translated.job();
    }

    @Override
    public Submission submission(ResponseId id) {
        var job = jobOf(id);
        return new Submission(
                caller.tenant(),
                caller.key(),
                plan().echo().model(),
                job,
                translated.summary(),
                SummaryTierWish.written(request.reasoningSummaryTier(), caller),
                plan().rawReasoning(),
                consent(request).terms(caller, job.reasoning().conversation()),
                stored(),
                lifetime(),
                ServiceTier.of(request.serviceTier()).band(),
                WireJson.writeBytes(plan()));
    }

    static AuditConsent consent(CreateResponse request) {
        return new AuditConsent(request.reasoningEncrypt(), request.safetyIdentifier(), request.user());
    }

    private Submission.Lifetime lifetime() {
        if (plan().echo().inBackground()) {
            return Submission.Lifetime.BACKGROUND;
        }
        return repeatable ? Submission.Lifetime.REPEATABLE : Submission.Lifetime.CLIENT;
    }

    /// A stored response that goes on with no other begins a conversation.
    private GenerationJob jobOf(ResponseId id) {
        var job = job();
        boolean begins = job.reasoning().conversation().isEmpty() && stored();
        return begins ? job.with(job.reasoning().in("", new TurnIds(id).response())) : job;
    }

    @Override
    public Optional<StoredResponses.NewRow> row(ResponseId id, Instant now, Instant expiresAt) {
        var echo = plan().echo();
        return echo.stored()
                ? Optional.of(new StoredResponses.NewRow(
                        new TurnIds(id).response(),
                        caller.owner(),
                        caller.key(),
                        now,
                        echo.model(),
                        echo.inBackground(),
                        echo.stored(),
                        echo.previousResponseId(),
                        StoredTurn.of(plan(), translated.input()).write(),
                        expiresAt,
                        place,
                        consent(request).subject()))
                : Optional.empty();
    }

    @Override
    public TurnRows.Last notQueued(ResponseId id) {
        return StoredTurn.failed(id, caller.tenant(), plan(), TurnEnding.Failure.NOT_QUEUED);
    }
}
