package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.reasoning.ChatReasoning;
import dev.counterpoint.gateway.reasoning.ReasoningGrant;
import dev.counterpoint.gateway.request.BoundPrompt;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.PromptBuilder;
import dev.counterpoint.gateway.request.PromptRoom;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.request.SchemaRules;
import dev.counterpoint.gateway.request.ServiceTier;
import dev.counterpoint.gateway.request.Verbosity;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.ReasoningAvailability;
import dev.counterpoint.openai.chat.ChatRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks requests to Chat Completions and translates them. Thread-safe.
@ApplicationScoped
class ChatTranslation {
    private final Fleet fleet;
    private final OpenToolTurns openTurns;
    private final KeyRing keys;
    private final GatewayConfig config;
    private final InstantSource clock = InstantSource.system();

    ChatTranslation(Fleet fleet, OpenToolTurns openTurns, KeyRing keys, GatewayConfig config) {
        this.fleet = fleet;
        this.openTurns = openTurns;
        this.keys = keys;
        this.config = config;
    }

    /// @param repeatable whether the request may come again under a key
    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    /// @throws dev.counterpoint.servicekit.ProblemException when model or rights lack
    CheckedChat order(Caller caller, ChatRequest request, boolean repeatable) {
        ChatRules.check(request);
        ChatRules.checkChoices(request, config.choicesMax(), repeatable);
        var reasoning = ChatReasoning.of(request);
        var model = ModelAvailability.require(fleet, request.model());
        var grant = reasoning.grant(caller, config.defaultReasoning());
        boolean audited = CheckedChat.audit(caller, request) != null;
        ModelAvailability.requireTokens(model, request.logitBias() != null, "logit_bias");
        ModelAvailability.requireTokens(
                model, reasoning.tokensMax() != null && reasoning.tokensMax() > 0, "reasoning.max_tokens");
        var options = SamplingOptions.of(request);
        boolean own = ModelAvailability.takesMessages(model);
        var asked = own && options.thinksNot() ? Integer.valueOf(0) : reasoning.tokensMax();
        var terms = GenerationJob.ReasoningTerms.of(
                        SealedReasoning.context(caller.tenant(), caller.project(), request.model()))
                .withTokensMax(grant.tokensMax(model, audited, asked));
        var prompt =
                prompt(caller, request, ImageSources.of(ModelAvailability.takesImages(model), config.imageAddresses()));
        var built =
                prompt.build(new BoundPrompt.Binding(keys, clock, terms, request.safetyIdentifier(), request.tools()));
        var job = ChatJob.of(
                request,
                built.items(),
                new ChatJob.Facts(
                        reasoning.effort(),
                        LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString(),
                        terms.bound(built.bond()),
                        own
                                ? options.serverOptions(reasoning.effortSaid(), request.parallelToolCalls())
                                : ModelOptions.NONE));
        ModelAvailability.requireLogprobs(model, job.sampling().topLogprobs(), "logprobs");
        new PromptRoom(keys, clock).require(job, model, "messages");
        var notes = Stream.of(
                        CheckedChat.consent(request).warning(caller),
                        prompt.reasoningLost()
                                ? Optional.of(ReasoningAvailability.ANALYSIS_LOST)
                                : Optional.<String>empty(),
                        built.removal(),
                        built.expiry(),
                        SchemaRules.unresolved(job))
                .flatMap(Optional::stream)
                .toList();
        var plan = plan(request, reasoning, grant, new Told(prompt.openCalls(), notes.isEmpty() ? null : notes));
        return new CheckedChat(caller, request, job, plan, grant.summary(), repeatable);
    }

    /// Paths of the options that the request's model has no use for.
    Set<String> optionsWithoutEffect(ChatRequest request) {
        return SamplingOptions.of(request).withoutEffect(ModelAvailability.takesMessages(fleet, request.model()));
    }

    private PromptBuilder prompt(Caller caller, ChatRequest request, ImageSources images) {
        var plain = Set.copyOf(ChatTools.withGrammar(request));
        var prompt = new PromptBuilder(PromptBuilder.Api.CHAT, plain, images);
        Verbosity.instruction(request.verbosity()).ifPresent(prompt::wish);
        prompt.begin();
        boolean raw = caller.mayRead(ReasoningMode.FULL);
        new ChatMessages(raw, calls -> openTurns.find(caller.owner(), calls)).add(request.messages(), prompt);
        return prompt;
    }

    /// What the prompt tells of itself.
    private record Told(List<String> openCalls, @Nullable List<String> notes) {}

    private ChatPlan plan(ChatRequest request, ChatReasoning reasoning, ReasoningGrant grant, Told told) {
        return new ChatPlan(
                ChatPlan.KIND,
                request.model(),
                grant.raw(),
                grant.summaryDue(),
                reasoning.convention(grant),
                Boolean.TRUE.equals(request.logprobs()),
                request.usageInStream(),
                Boolean.TRUE.equals(request.store()) ? request.metadata() : null,
                List.copyOf(told.openCalls),
                ServiceTier.of(request.serviceTier()).wireName(),
                ChatTools.custom(request),
                ChatTools.withGrammar(request),
                null,
                padded(request),
                told.notes,
                CheckedChat.consent(request).subject());
    }

    private boolean padded(ChatRequest request) {
        var asked =
                request.streamOptions() == null ? null : request.streamOptions().includeObfuscation();
        return request.streaming() && Objects.requireNonNullElse(asked, config.obfuscation());
    }
}
