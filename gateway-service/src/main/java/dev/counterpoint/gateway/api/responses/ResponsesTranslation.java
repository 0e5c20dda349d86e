package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.prompts.Prompts;
import dev.counterpoint.gateway.reasoning.ResponsesReasoning;
import dev.counterpoint.gateway.request.BoundPrompt;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.PromptRoom;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.ReasoningAvailability;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.prompt.PromptRenderer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Translates checked requests to the Responses API, with what is stored of their conversations. Thread-safe.
@ApplicationScoped
class ResponsesTranslation {
    private final ResponseHistory history;
    private final Prompts prompts;
    private final SealedCompactions compactions;
    private final KeyRing keys;
    private final GatewayConfig config;
    private final InstantSource clock = InstantSource.system();

    ResponsesTranslation(
            ResponseHistory history,
            Prompts prompts,
            SealedCompactions compactions,
            KeyRing keys,
            GatewayConfig config) {
        this.history = history;
        this.prompts = prompts;
        this.compactions = compactions;
        this.keys = keys;
        this.config = config;
    }

    /// @param model that the request names
    /// @param repeatable whether the request may come again under a key
    /// @throws WireException that names what is wrong
    /// @throws dev.counterpoint.servicekit.ProblemException when rights lack
    CheckedResponse order(Caller caller, CreateResponse request, Heartbeat.Model model, boolean repeatable) {
        var owner = caller.owner();
        var past = history.of(request, owner);
        var input = Stream.concat(
                        past.queued().stream(), InputItems.own(request.input(), id -> history.item(id, owner)).stream())
                .toList();
        var whole = new ConversationInput(prompts.fill(request.prompt()), past.items(), input, 0, null);
        var said = compactions.unfolded(whole, owner);
        var effective = EffectiveRequest.of(request, said);
        var facts = facts(caller, effective, model, past.conversation());
        var translated = TranslatedRequest.of(effective.request(), input, said, facts);
        var notes = Stream.of(CheckedResponse.consent(request).warning(caller), past.warning(), effective.warning())
                .flatMap(Optional::stream)
                .toList();
        for (var note : notes) {
            translated = translated.noted(note);
        }
        return new CheckedResponse(caller, effective.request(), translated, facts, past.place(), repeatable);
    }

    private TranslatedRequest.Facts facts(
            Caller caller, EffectiveRequest effective, Heartbeat.Model model, String conversation) {
        // A mode by its name grants other rights than the contract's object, which an item's effort makes of it.
        var grant = ResponsesReasoning.grant(effective.asked().reasoning(), caller, config.defaultReasoning());
        var request = effective.request();
        boolean audited = CheckedResponse.consent(request).terms(caller, "") != null;
        boolean ownTemplate = ModelAvailability.takesMessages(model);
        boolean off = ownTemplate && SamplingOptions.of(request).thinksNot();
        var asked = off ? Integer.valueOf(0) : ResponsesReasoning.tokensMax(request.reasoning());
        var tokensMax = grant.tokensMax(model, audited, asked);
        var reasoning = GenerationJob.ReasoningTerms.of(
                        SealedReasoning.context(caller.tenant(), caller.project(), model.name()))
                .in(conversation, conversation)
                .withTokensMax(tokensMax);
        return new TranslatedRequest.Facts(
                grant,
                new BoundPrompt.Binding(
                        keys,
                        clock,
                        reasoning,
                        request.safetyIdentifier(),
                        effective.asked().tools()),
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString(),
                ownTemplate,
                ImageSources.of(ModelAvailability.takesImages(model), config.imageAddresses()),
                config.obfuscation());
    }

    /// A stored response's request once more, to be compared with another of the same model.
    ///
    /// @return empty where not all is there any more that its prompt was made of
    Optional<TranslatedRequest> again(StoredResponses.Row row, CheckedResponse other) {
        var turn = StoredTurn.read(row.inputItemsJson());
        var request = WireJson.read(WireJson.tree(turn.plan().echo()), CreateResponse.class);
        var compaction = turn.plan().compaction();
        var past = history.before(row);
        var earlier = compaction == null
                ? past.items()
                : List.<InputItem>of(new InputItem.Compaction(null, compaction, Others.NONE));
        var own = compaction == null ? turn.input().items() : List.<InputItem>of();
        var whole = new ConversationInput(prompts.fill(request.prompt()), earlier, own, 0, null);
        var day = LocalDate.ofInstant(row.createdAt(), ZoneOffset.UTC).toString();
        var facts = other.facts().on(day);
        var then = TranslatedRequest.of(request, own, compactions.unfolded(whole, row.owner()), facts);
        var notes = Objects.requireNonNullElse(then.plan().notes(), List.<String>of());
        boolean complete = past.gone() == null && !notes.contains(ReasoningAvailability.ANALYSIS_LOST);
        return complete ? Optional.of(then) : Optional.empty();
    }

    /// The tokens of a job's prompt but for those of sealed reasoning.
    int[] visibleTokens(GenerationJob job) {
        return new PromptRenderer(keys).withoutReasoning(job);
    }

    /// @throws dev.counterpoint.servicekit.ProblemException 400 when the model's context cannot hold the prompt
    void requireRoom(GenerationJob job, Heartbeat.Model model) {
        new PromptRoom(keys, clock).require(job, model, ResponseEventFormat.INPUT);
    }

    /// Counts the tokens of a job's prompt.
    int promptTokens(GenerationJob job) {
        return new PromptRenderer(keys).count(job, clock.millis());
    }
}
