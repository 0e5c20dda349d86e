package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.gateway.api.paging.Page;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.reasoning.LaterSummaries;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CompactedResponse;
import dev.counterpoint.openai.responses.ContextManagement;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemList;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import dev.counterpoint.openai.responses.StoredItem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves callers of the Responses API: creates, counts, compacts and finds responses. Thread-safe.
@ApplicationScoped
class Responses {
    private static final Logger LOG = LoggerFactory.getLogger(Responses.class);

    private static final double USUAL_SHARE = 0.8;

    private final Fleet fleet;
    private final ResponsesTranslation translation;
    private final Compactions compactions;
    private final PromptComparison comparison;
    private final ResponseTurns turns;
    private final StoredResponses rows;

    Responses(
            Fleet fleet,
            ResponsesTranslation translation,
            Compactions compactions,
            PromptComparison comparison,
            ResponseTurns turns,
            StoredResponses rows) {
        this.fleet = fleet;
        this.translation = translation;
        this.compactions = compactions;
        this.comparison = comparison;
        this.turns = turns;
        this.rows = rows;
    }

    /// Checks the request, writes its row and lets the model begin.
    ///
    /// @param key by which the request may come again
    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    /// @throws ProblemException when model, rights or quota lack
    ResponseTurns.Running start(Caller caller, CreateResponse request, Optional<IdempotencyKey> key)
            throws InterruptedException {
        var earlier = turns.earlier(request, key);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        var model = checked(request);
        ModelAvailability.requireLogprobs(model, SamplingOptions.of(request).logprobs(), "top_logprobs");
        var order = inBounds(translation.order(caller, request, model, key.isPresent()), model);
        translation.requireRoom(order.job(), model);
        return turns.start(comparison.diagnosed(order), key);
    }

    /// The plan of a request that is only checked.
    ///
    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    /// @throws ProblemException when model or rights lack
    ResponsePlan plan(Caller caller, CreateResponse request) {
        return translation.order(caller, request, checked(request), false).plan();
    }

    /// Paths of the members that are taken and do nothing.
    Set<String> withoutEffect(CreateResponse request, Caller caller) {
        var paths = IneffectiveFields.of(request, caller);
        paths.addAll(
                SamplingOptions.of(request).withoutEffect(ModelAvailability.takesMessages(fleet, request.model())));
        return paths;
    }

    private Heartbeat.Model checked(CreateResponse request) {
        ResponsesRules.check(request);
        return ModelAvailability.require(fleet, Objects.requireNonNull(request.model()));
    }

    /// A conversation that has grown too long is compacted, where the request wants it. One that cannot be goes on as
    /// it is.
    private CheckedResponse inBounds(CheckedResponse whole, Heartbeat.Model model) throws InterruptedException {
        var threshold = threshold(whole.request(), model.contextLength());
        ModelAvailability.requireTokens(model, threshold.isPresent(), "context_management");
        if (threshold.isEmpty() || translation.promptTokens(whole.job()) < threshold.getAsInt()) {
            return whole;
        }
        try {
            var made = compactions.compact(whole, model, null);
            return made.summed() ? whole.compacted(made) : whole;
        } catch (ProblemException e) {
            LOG.info(
                    "tenant={} compaction=failed status={}",
                    whole.caller().tenant(),
                    e.problem().status());
            return whole;
        }
    }

    /// From how many tokens of prompt on the conversation is compacted: what the request says, else a share of what the
    /// model takes; empty for never.
    private static OptionalInt threshold(CreateResponse request, int contextLength) {
        return Objects.requireNonNullElse(request.contextManagement(), List.<ContextManagement>of()).stream()
                .mapToInt(entry ->
                        Objects.requireNonNullElse(entry.compactThreshold(), (int) (contextLength * USUAL_SHARE)))
                .findFirst();
    }

    /// Counts the tokens that the request would send to the model.
    ///
    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    /// @throws ProblemException when model or rights lack
    int count(Caller caller, CreateResponse request) {
        var model = checked(request);
        ModelAvailability.requireTokens(model, true, "model");
        return translation.promptTokens(
                translation.order(caller, request, model, false).job());
    }

    /// The conversation of a request in one item.
    ///
    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    /// @throws ProblemException when model, rights or quota lack
    CompactedResponse compact(Caller caller, CreateResponse request) throws InterruptedException {
        var model = checked(request);
        var whole = translation.order(caller, request, model, false);
        var made = compactions.compact(whole, model, request.instructions());
        var id = UUID.randomUUID().toString().replace("-", "");
        var item = new OutputItem.Compaction("cmp_" + id, made.blob(), null, Others.NONE);
        long now = Instant.now().getEpochSecond();
        return new CompactedResponse("resp_" + id, now, List.of(new StoredItem.Item(item)), made.usage());
    }

    /// The items that a stored response was asked: those of its own request, not of those before it.
    ItemList inputItems(String id, Owner owner, Page page) {
        var input = StoredTurn.read(row(id, owner).inputItemsJson()).input().items();
        var items = StoredItemMapper.toStored(TurnIds.parseResponse(id).orElseThrow(), input);
        var entries = page.ofAll(items, StoredItemMapper.Named::id);
        return new ItemList(
                entries.shown().stream().map(StoredItemMapper.Named::item).toList(),
                entries.firstId(StoredItemMapper.Named::id),
                entries.lastId(StoredItemMapper.Named::id),
                entries.more());
    }

    /// The known part of a response whose reasoning is to be summed up.
    ///
    /// @param carried whether the caller brings the reasoning, so that the response need not be stored
    /// @throws ProblemException 404 where neither the caller nor we have anything of it, 409 while it runs
    LaterSummaries.Past past(String id, Owner owner, boolean carried) {
        var log = TurnIds.parseResponse(id).orElseThrow(() -> missing(id));
        if (carried && rows.find(id, owner).isEmpty()) {
            return LaterSummaries.Past.unknown(id);
        }
        var row = row(id, owner);
        if (row.responseJson() == null) {
            throw new ProblemException(
                    Problem.conflict(null, "response_in_progress", "The response has not ended yet; ask again later."));
        }
        var question = StoredTurn.read(row.inputItemsJson()).input().items().reversed().stream()
                .filter(item -> item instanceof InputItem.Message said && said.role() == MessageRole.USER)
                .map(item -> InputItems.words(((InputItem.Message) item).content(), "input"))
                .findFirst()
                .orElse("");
        return new LaterSummaries.Past(id, log, row.model(), question);
    }

    private StoredResponses.Row row(String id, Owner owner) {
        return TurnIds.parseResponse(id).flatMap(_ -> rows.find(id, owner)).orElseThrow(() -> missing(id));
    }

    static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Response with id '" + id + "'"));
    }

    /// The stored response as JSON; a snapshot while it runs.
    ///
    /// @throws ProblemException 404 when the caller has none of this id
    byte[] find(String id, Owner owner) {
        var row = row(id, owner);
        if (row.responseJson() != null) {
            return row.responseJson().getBytes(StandardCharsets.UTF_8);
        }
        long createdAt = new TurnIds(TurnIds.parseResponse(id).orElseThrow()).createdAt();
        var plan = StoredTurn.read(row.inputItemsJson()).plan();
        return WireJson.writeBytes(ResponseObject.fresh(id, createdAt, ResponseStatus.IN_PROGRESS, plan.echo()));
    }
}
