package dev.counterpoint.gateway.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.fleet.Beat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.idempotency.Earlier;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.idempotency.Once;
import dev.counterpoint.gateway.models.Availability;
import dev.counterpoint.gateway.prompts.Prompts;
import dev.counterpoint.gateway.reasoning.ResponsesReasoning;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.gateway.stream.Submission;
import dev.counterpoint.gateway.turn.Charges;
import dev.counterpoint.gateway.turn.Consent;
import dev.counterpoint.gateway.turn.Desk;
import dev.counterpoint.gateway.turn.ServiceTier;
import dev.counterpoint.gateway.turn.TakesUp;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CompactedResponse;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseError;
import dev.counterpoint.openai.responses.ResponseErrorCode;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import dev.counterpoint.openai.responses.StoredItem;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Creates responses and brings them to their end, row included. Thread-safe.
@ApplicationScoped
class Responses implements TakesUp {
    private static final Logger LOG = Logger.getLogger(Responses.class);

    private final Desk desk;
    private final TurnRows rows;
    private final Charges charges;
    private final ConversationTurns conversations;
    private final Prompts prompts;
    private final History history;
    private final Once once;
    private final Compactions compactions;

    @Inject
    Responses(
            Desk desk,
            TurnRows rows,
            Charges charges,
            Once once,
            ConversationTurns conversations,
            StoredConversations kept,
            Prompts prompts,
            KeyRing keys,
            CurrentVertxRequest http) {
        this.desk = desk;
        this.rows = rows;
        this.charges = charges;
        this.once = once;
        this.conversations = conversations;
        this.prompts = prompts;
        this.history = new History(desk.rows(), kept);
        var summaries = new Summaries(
                (caller, request) -> start(caller, request, Optional.empty()),
                http,
                desk.config().firstTokenTimeout());
        this.compactions = new Compactions(keys, summaries);
    }

    /// @param place in a conversation, where the request names one
    private record Translated(ResponsesRequest request, StoredResponses.@Nullable Place place) {}

    /// A response under way.
    record Running(TurnIds ids, ResponseAssembler assembler, TurnRun<StreamEvent> run, ResponsePlan plan) {}

    /// Checks the request, writes its row and lets the model begin.
    ///
    /// @throws WireException that names what is wrong
    /// @param key by which the request may come again
    /// @throws dev.counterpoint.servicekit.ProblemException when model, rights or quota lack
    Running start(Caller caller, CreateResponse request, Optional<IdempotencyKey> key) throws InterruptedException {
        var earlier = once.earlier(key);
        if (earlier.isPresent()) {
            return again(earlier.get(), request);
        }
        ResponsesRules.check(request);
        var name = Objects.requireNonNull(request.model());
        var model = Availability.require(desk.fleet(), name);
        Availability.requireLogprobs(model, ResponsesJob.topLogprobs(request), "top_logprobs");
        var translated = inBounds(caller, request, model);
        var id = desk.newResponse(caller.tenant());
        boolean started = false;
        try {
            var faster = once.claim(key, id);
            if (faster.isPresent()) {
                return again(faster.get(), request);
            }
            charges.admit(caller, id, translated.request.job());
            var running = run(caller, request, new Started(id, key), translated);
            started = true;
            return running;
        } finally {
            desk.giveBack(id);
            if (!started) {
                charges.giveBack(caller, id);
                once.giveBack(key, id);
            }
        }
    }

    /// A response on its way.
    private record Started(ResponseId id, Optional<IdempotencyKey> key) {}

    /// What came before under the same key, once more.
    private Running again(Earlier earlier, CreateResponse request) {
        var plan = WireJson.read(earlier.echo(), ResponsePlan.class);
        var generation = earlier.generation();
        var ids = new TurnIds(generation.id());
        var epilogue = once.epilogue(earlier, ids.response());
        var assembler = new ResponseAssembler(generation.id(), plan);
        var run = new TurnRun<>(generation, assembler, epilogue);
        if (plan.echo().inBackground() && !request.streaming()) {
            run.abandon(); // all that is told is its name
        }
        return new Running(ids, assembler, run, plan);
    }

    /// How many tokens the request would send to the model.
    ///
    /// @throws WireException that names what is wrong
    /// @throws dev.counterpoint.servicekit.ProblemException when model or rights lack
    int count(Caller caller, CreateResponse request) {
        ResponsesRules.check(request);
        var name = Objects.requireNonNull(request.model());
        var model = Availability.require(desk.fleet(), name);
        Availability.requireTokens(model, true, "model");
        return desk.promptTokens(translate(caller, request, model, null).request.job());
    }

    /// The conversation of a request in one item.
    ///
    /// @throws WireException that names what is wrong
    /// @throws ProblemException when model, rights or quota lack
    CompactedResponse compact(Caller caller, CreateResponse request) throws InterruptedException {
        ResponsesRules.check(request);
        var name = Objects.requireNonNull(request.model());
        var model = Availability.require(desk.fleet(), name);
        var conversation =
                translate(caller, request, model, null).request.said().conversation();
        var made = compactions.compact(conversation, name, caller, request.instructions());
        var id = UUID.randomUUID().toString().replace("-", "");
        var item = new OutputItem.Compaction("cmp_" + id, made.blob(), null, Others.NONE);
        long now = desk.clock().instant().getEpochSecond();
        return new CompactedResponse("resp_" + id, now, List.of(new StoredItem.Item(item)), made.usage());
    }

    /// A conversation that has grown too long is compacted, where the request wants it. One that cannot be goes on as
    /// it is.
    private Translated inBounds(Caller caller, CreateResponse request, Beat.Model model) throws InterruptedException {
        var whole = translate(caller, request, model, null);
        var threshold = ContextRules.threshold(request, model.contextLength());
        Availability.requireTokens(model, threshold.isPresent(), "context_management");
        if (threshold.isEmpty() || desk.promptTokens(whole.request.job()) < threshold.getAsInt()) {
            return whole;
        }
        try {
            var conversation = whole.request.said().conversation();
            var made = compactions.compact(conversation, model.name(), caller, null);
            return made.summed() ? translate(caller, request, model, made) : whole;
        } catch (ProblemException e) {
            LOG.infof(
                    "tenant=%s compaction=failed status=%d",
                    caller.tenant(), e.problem().status());
            return whole;
        }
    }

    private Translated translate(
            Caller caller, CreateResponse request, Beat.Model model, Compactions.@Nullable Compacted made) {
        var past = history.of(request, caller.tenant());
        var grant = ResponsesReasoning.grant(
                request.reasoning(), caller, desk.config().defaultReasoning());
        boolean audited = consent(request).terms(caller, "") != null;
        var context = SealedReasoning.context(caller.tenant(), caller.project(), model.name());
        var terms = GenerationJob.ReasoningTerms.of(context)
                .in(past.conversation(), past.conversation())
                .withTokensMax(grant.tokensMax(model, audited, ResponsesReasoning.tokensMax(request.reasoning())));
        var facts = new ResponsesRequest.Facts(
                grant,
                own -> {
                    var whole = new Said(prompts.fill(request.prompt()), past.items(), own, 0, null);
                    return made == null
                            ? compactions.unfolded(whole, caller.tenant())
                            : new Said(whole.prompt(), made.items(), List.of(), 0, made.blob());
                },
                item -> history.item(item, caller.tenant()),
                desk.seals(terms),
                desk.date(),
                terms,
                desk.config().obfuscation());
        return new Translated(ResponsesRequest.of(request, facts), past.place());
    }

    private static Consent consent(CreateResponse request) {
        return new Consent(request.reasoningEncrypt(), request.safetyIdentifier(), request.user());
    }

    /// A stored response that goes on with no other begins a conversation.
    private static GenerationJob job(ResponsesRequest request, ResponseId id) {
        var job = request.job();
        boolean begins = job.reasoning().conversation().isEmpty()
                && request.plan().echo().stored();
        return begins ? job.with(job.reasoning().in("", new TurnIds(id).response())) : job;
    }

    private Running run(Caller caller, CreateResponse request, Started how, Translated translated) {
        var id = how.id();
        var echo = WireJson.writeBytes(translated.request.plan());
        // As every replica reads it, so that no event depends on who assembled it.
        var plan = WireJson.read(echo, ResponsePlan.class);
        boolean stored = plan.echo().stored();
        var job = job(translated.request, id);
        var submission = new Submission(
                caller.tenant(),
                caller.key(),
                plan.echo().model(),
                job,
                translated.request.summary(),
                plan.rawReasoning(),
                consent(request).terms(caller, job.reasoning().conversation()),
                stored,
                plan.echo().inBackground(),
                ServiceTier.of(request.serviceTier()).band(),
                echo);
        var row = stored ? Optional.of(row(caller, id, translated)) : Optional.<StoredResponses.NewRow>empty();
        var generation = desk.start(id, submission, row, failed(id, caller.tenant(), plan));
        return running(once.lasting(how.key(), generation), plan, caller, stored);
    }

    private Running running(Generations.Generation generation, ResponsePlan plan, Caller caller, boolean stored) {
        var ids = new TurnIds(generation.id());
        var assembler = new ResponseAssembler(generation.id(), plan);
        var run = new TurnRun<>(generation, assembler, (ending, onRecord) -> {
            once.ended(generation.id(), ending);
            var bill = Charges.Bill.of(caller, generation.id(), plan.echo().model(), ending);
            var last = last(assembler.response(), caller.tenant());
            if (stored) {
                rows.finish(last, bill, () -> conversations.add(assembler.response(), caller.tenant()), onRecord);
            } else {
                if (plan.echo().previousResponseId() != null && !last.answered().isEmpty()) {
                    rows.forget(last.id(), last.answered(), last.tenant());
                }
                charges.charge(bill);
                onRecord.run();
            }
        });
        return new Running(ids, assembler, run, plan);
    }

    private static TurnRows.Last last(ResponseObject response, String tenant) {
        var previous = response.echo().previousResponseId();
        var newest = previous == null ? List.of(response.id()) : List.of(response.id(), previous);
        return new TurnRows.Last(
                response.id(),
                tenant,
                Objects.requireNonNull(response.status()).wireName(),
                StoredTurn.write(response),
                StoredTurn.answers(response) ? newest : List.of());
    }

    private StoredResponses.NewRow row(Caller caller, ResponseId id, Translated translated) {
        var request = translated.request;
        var echo = request.plan().echo();
        var now = desk.clock().instant();
        return new StoredResponses.NewRow(
                new TurnIds(id).response(),
                caller.tenant(),
                caller.key(),
                now,
                echo.model(),
                echo.inBackground(),
                echo.stored(),
                echo.previousResponseId(),
                StoredTurn.of(request.plan(), request.input()).write(),
                now.plus(desk.config().storedResponseRetention()),
                translated.place);
    }

    private static TurnRows.Last failed(ResponseId id, String tenant, ResponsePlan plan) {
        var ids = new TurnIds(id);
        var fresh = ResponseObject.fresh(ids.response(), ids.createdAt(), ResponseStatus.IN_PROGRESS, plan.echo());
        var response =
                fresh.failed(ResponseError.of(ResponseErrorCode.SERVER_ERROR, "The request could not be queued."));
        return new TurnRows.Last(ids.response(), tenant, ResponseStatus.FAILED.wireName(), StoredTurn.write(response));
    }

    /// The stored response as JSON; a snapshot while it runs. Empty when the caller has none of this id.
    Optional<byte[]> find(String id, String tenant) {
        return TurnIds.parseResponse(id)
                .flatMap(parsed -> desk.rows().find(id, tenant).map(row -> {
                    var json = row.responseJson();
                    if (json != null) {
                        return json.getBytes(StandardCharsets.UTF_8);
                    }
                    var plan = StoredTurn.read(row.inputItemsJson()).plan();
                    return WireJson.writeBytes(ResponseObject.fresh(
                            id, new TurnIds(parsed).createdAt(), ResponseStatus.IN_PROGRESS, plan.echo()));
                }));
    }

    @Override
    public String kind() {
        return ResponsePlan.KIND;
    }

    @Override
    public TurnRun<?> takeUp(Generations.Generation generation, Accepted accepted, JsonNode echo) {
        var plan = WireJson.read(echo, ResponsePlan.class);
        return running(generation, plan, Charges.remembered(accepted), accepted.stored())
                .run();
    }

    @Override
    public Optional<TurnRows.Last> neverQueued(StoredResponses.Row row) {
        return TurnIds.parseResponse(row.id())
                .map(id -> failed(
                        id, row.tenant(), StoredTurn.read(row.inputItemsJson()).plan()));
    }
}
