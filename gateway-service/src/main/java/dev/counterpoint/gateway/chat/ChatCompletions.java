package dev.counterpoint.gateway.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.access.ReasoningMode;
import dev.counterpoint.gateway.idempotency.Earlier;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.idempotency.Once;
import dev.counterpoint.gateway.models.Availability;
import dev.counterpoint.gateway.reasoning.ChatReasoning;
import dev.counterpoint.gateway.reasoning.ReasoningGrant;
import dev.counterpoint.gateway.store.StoredCompletions;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.gateway.turn.Charges;
import dev.counterpoint.gateway.turn.Consent;
import dev.counterpoint.gateway.turn.Desk;
import dev.counterpoint.gateway.turn.Ending;
import dev.counterpoint.gateway.turn.PromptBuilder;
import dev.counterpoint.gateway.turn.ServiceTier;
import dev.counterpoint.gateway.turn.TakesUp;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.Verbosity;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Creates chat completions and brings them to their end. Thread-safe.
@ApplicationScoped
class ChatCompletions implements TakesUp {
    private static final List<String> REASONING_MEMBERS =
            List.of("reasoning", "reasoning_content", "reasoning_summary", "reasoning_details");

    private final Desk desk;
    private final TurnRows rows;
    private final Charges charges;
    private final OpenTurns openTurns;
    private final Once once;
    private final StoredCompletions kept;

    @Inject
    ChatCompletions(Desk desk, TurnRows rows, Charges charges, OpenTurns openTurns, Once once, StoredCompletions kept) {
        this.desk = desk;
        this.rows = rows;
        this.charges = charges;
        this.openTurns = openTurns;
        this.once = once;
        this.kept = kept;
    }

    /// One answer under way; a completion has as many as were asked for.
    record Running(ChatAssembler assembler, TurnRun<ChatChunk> run) {}

    /// Checks the request, writes its row if it is to be stored, and lets the model begin, as often as answers are
    /// wanted.
    ///
    /// @param key by which the request may come again
    /// @return the answers in order, at least one
    /// @throws WireException that names what is wrong
    /// @throws dev.counterpoint.servicekit.ProblemException when model, rights or quota lack
    List<Running> start(Caller caller, ChatRequest request, Optional<IdempotencyKey> key) throws InterruptedException {
        var earlier = once.earlier(key);
        if (earlier.isPresent()) {
            return List.of(again(earlier.get()));
        }
        ChatRules.check(request);
        int choices = ChatRules.choices(request, desk.config().choicesMax(), key.isPresent());
        var order = order(caller, request);
        var ids = new ArrayList<ResponseId>();
        var running = new ArrayList<Running>();
        try {
            for (int i = 0; i < choices; i++) {
                ids.add(desk.newResponse(caller.tenant()));
            }
            var completion = new TurnIds(ids.getFirst()).completion();
            for (int i = 0; i < choices; i++) {
                running.add(begin(choices == 1 ? order : order.choice(i, completion), ids.get(i), key));
            }
            return running;
        } finally {
            ids.forEach(desk::giveBack);
            if (running.size() < choices) {
                running.forEach(answer -> answer.run().abandon());
            }
        }
    }

    private ChatOrder order(Caller caller, ChatRequest request) {
        var reasoning = ChatReasoning.of(request);
        var model = Availability.require(desk.fleet(), request.model());
        var grant = reasoning.grant(caller, desk.config().defaultReasoning());
        var audit =
                new Consent(request.reasoningEncrypt(), request.safetyIdentifier(), request.user()).terms(caller, "");
        Availability.requireTokens(model, request.logitBias() != null, "logit_bias");
        Availability.requireTokens(
                model, reasoning.tokensMax() != null && reasoning.tokensMax() > 0, "reasoning.max_tokens");
        var terms = GenerationJob.ReasoningTerms.of(
                        SealedReasoning.context(caller.tenant(), caller.project(), request.model()))
                .withTokensMax(grant.tokensMax(model, audit != null, reasoning.tokensMax()));
        var prompt = prompt(caller, request, terms);
        var job = ChatJob.of(request, prompt.build(), new ChatJob.Facts(reasoning.effort(), desk.date(), terms));
        Availability.requireLogprobs(model, job.sampling().topLogprobs(), "logprobs");
        var plan = plan(request, reasoning, grant, prompt.openCalls());
        return new ChatOrder(caller, request, job, plan, grant.summary(), audit);
    }

    private Running begin(ChatOrder order, ResponseId id, Optional<IdempotencyKey> key) throws InterruptedException {
        var caller = order.caller();
        boolean started = false;
        try {
            var faster = once.claim(key, id);
            if (faster.isPresent()) {
                return again(faster.get());
            }
            charges.admit(caller, id, order.job());
            var row = order.stored()
                    ? Optional.of(row(caller, id, order.request()))
                    : Optional.<StoredResponses.NewRow>empty();
            var failed = failed(new TurnIds(id).completion(), caller.tenant());
            var generation = desk.start(id, order.submission(), row, failed);
            started = true;
            return running(once.lasting(key, generation), order.plan(), caller, order.stored());
        } finally {
            if (!started) {
                charges.giveBack(caller, id);
                once.giveBack(key, id);
            }
        }
    }

    /// What came before under the same key, once more.
    private Running again(Earlier earlier) {
        var generation = earlier.generation();
        var epilogue = once.epilogue(earlier, new TurnIds(generation.id()).completion());
        var assembler = new ChatAssembler(generation.id(), WireJson.read(earlier.echo(), ChatPlan.class));
        return new Running(assembler, new TurnRun<>(generation, assembler, epilogue));
    }

    private PromptBuilder prompt(Caller caller, ChatRequest request, GenerationJob.ReasoningTerms terms) {
        var prompt = new PromptBuilder(desk.seals(terms));
        Verbosity.instruction(request.verbosity()).ifPresent(prompt::instructions);
        boolean raw = caller.mayRead(ReasoningMode.FULL);
        new ChatMessages(raw, calls -> openTurns.find(caller.tenant(), calls)).add(request.messages(), prompt);
        return prompt;
    }

    private ChatPlan plan(ChatRequest request, ChatReasoning reasoning, ReasoningGrant grant, List<String> openCalls) {
        return new ChatPlan(
                ChatPlan.KIND,
                request.model(),
                grant.raw(),
                grant.summaryDue(),
                reasoning.convention(),
                Boolean.TRUE.equals(request.logprobs()),
                request.usageInStream(),
                Boolean.TRUE.equals(request.store()) ? request.metadata() : null,
                List.copyOf(openCalls),
                request.serviceTier() == null
                        ? null
                        : ServiceTier.of(request.serviceTier()).wireName(),
                ChatTools.custom(request),
                null,
                padded(request));
    }

    private boolean padded(ChatRequest request) {
        var asked =
                request.streamOptions() == null ? null : request.streamOptions().includeObfuscation();
        return request.streaming()
                && Objects.requireNonNullElse(asked, desk.config().obfuscation());
    }

    private Running running(Generations.Generation generation, ChatPlan plan, Caller caller, boolean stored) {
        var assembler = new ChatAssembler(generation.id(), plan);
        var run = new TurnRun<>(generation, assembler, (ending, onRecord) -> {
            var id = new TurnIds(generation.id()).completion();
            once.ended(generation.id(), ending);
            openTurns.keep(id, caller.tenant(), assembler);
            if (assembler.answered() && plan.openCalls() != null) {
                openTurns.forget(id, caller.tenant(), plan.openCalls());
            }
            var whole = Charges.Bill.of(caller, generation.id(), plan.model(), ending);
            // The prompt of several answers is the same one, and counts once.
            var bill = plan.index() == 0 ? whole : whole.withoutPrompt();
            if (stored) {
                var last = last(generation.id(), caller.tenant(), assembler, ending);
                var metadata = Objects.requireNonNullElse(plan.metadata(), Map.<String, String>of());
                rows.finish(last, bill, () -> kept.index(last.id(), last.tenant(), metadata), onRecord);
            } else {
                charges.charge(bill);
                onRecord.run();
            }
        });
        return new Running(assembler, run);
    }

    private StoredResponses.NewRow row(Caller caller, ResponseId id, ChatRequest request) {
        var now = desk.clock().instant();
        var messages = WireJson.tree(request).path("messages");
        messages.forEach(ChatCompletions::withoutReasoning);
        return new StoredResponses.NewRow(
                new TurnIds(id).completion(),
                caller.tenant(),
                caller.key(),
                now,
                request.model(),
                false,
                true,
                null,
                messages.toString(),
                now.plus(desk.config().storedResponseRetention()),
                null);
    }

    private static TurnRows.Last last(ResponseId id, String tenant, ChatAssembler assembler, Ending ending) {
        var completion = new TurnIds(id).completion();
        return switch (ending) {
            case Ending.Complete _, Ending.Truncated _ -> {
                var json = WireJson.tree(assembler.completion());
                json.path("choices").forEach(choice -> withoutReasoning(choice.path("message")));
                yield new TurnRows.Last(completion, tenant, "completed", json.toString());
            }
            case Ending.Refused _, Ending.Failed _ -> failed(completion, tenant);
            case Ending.Cancelled _ -> new TurnRows.Last(completion, tenant, "cancelled", "{}");
        };
    }

    private static TurnRows.Last failed(String completion, String tenant) {
        return new TurnRows.Last(completion, tenant, "failed", "{}");
    }

    /// Raw reasoning is never kept in clear.
    private static void withoutReasoning(JsonNode message) {
        if (message instanceof ObjectNode members) {
            members.remove(REASONING_MEMBERS);
        }
    }

    @Override
    public String kind() {
        return ChatPlan.KIND;
    }

    @Override
    public TurnRun<?> takeUp(Generations.Generation generation, Accepted accepted, JsonNode echo) {
        var plan = WireJson.read(echo, ChatPlan.class);
        return running(generation, plan, Charges.remembered(accepted), accepted.stored())
                .run();
    }

    @Override
    public Optional<TurnRows.Last> neverQueued(StoredResponses.Row row) {
        return TurnIds.parseCompletion(row.id()).map(_ -> failed(row.id(), row.tenant()));
    }
}
