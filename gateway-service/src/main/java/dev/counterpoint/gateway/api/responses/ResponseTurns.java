package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.idempotency.IdempotentRequests;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.UsageCharges;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.StreamEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/// Runs responses and brings them to their end, row included. Thread-safe.
@ApplicationScoped
class ResponseTurns implements TurnRebuilder {
    private final Generations generations;
    private final IdempotentRequests requests;
    private final TurnRows rows;
    private final UsageCharges charges;
    private final ConversationTurns conversations;
    private final SteeredTurns steered;

    ResponseTurns(
            Generations generations,
            IdempotentRequests requests,
            TurnRows rows,
            UsageCharges charges,
            ConversationTurns conversations,
            SteeredTurns steered) {
        this.generations = generations;
        this.requests = requests;
        this.rows = rows;
        this.charges = charges;
        this.conversations = conversations;
        this.steered = steered;
    }

    /// A response under way.
    record Running(TurnIds ids, ResponseAssembler assembler, TurnRun<StreamEvent> run, ResponsePlan plan) {}

    /// The response to an earlier request under the same key, once more; empty when there is none.
    Optional<Running> earlier(CreateResponse request, Optional<IdempotencyKey> key) throws InterruptedException {
        return requests.earlier(key).map(replay -> again(replay, request));
    }

    /// Writes the row of a request and lets the model begin.
    ///
    /// @param key by which the request may come again
    /// @throws dev.counterpoint.servicekit.ProblemException when quota or room lack
    Running start(CheckedResponse order, Optional<IdempotencyKey> key) throws InterruptedException {
        var caller = order.caller();
        var id = generations.newResponse(caller.tenant(), caller.key());
        try {
            return switch (requests.start(id, order, key)) {
                case Replays.Replay replay -> again(replay, order.request());
                case Generations.Generation own -> running(own, order.plan(), caller, order.stored());
            };
        } finally {
            generations.giveBack(id);
        }
    }

    private Running again(Replays.Replay replay, CreateResponse request) {
        var plan = WireJson.read(replay.echo(), ResponsePlan.class);
        var ids = new TurnIds(replay.id());
        var epilogue = requests.epilogue(replay, ids.response());
        var assembler = new ResponseAssembler(replay.id(), plan);
        var run = new TurnRun<>(replay, assembler, epilogue);
        if (plan.echo().inBackground() && !request.streaming()) {
            run.abandon(); // all that is told is its name
        }
        return new Running(ids, assembler, run, plan);
    }

    private Running running(Generations.Generation generation, ResponsePlan plan, Caller caller, boolean stored) {
        var ids = new TurnIds(generation.id());
        var assembler = new ResponseAssembler(generation.id(), plan);
        var run = new TurnRun<>(generation, assembler, (ending, onRecord) -> {
            requests.ended(generation.id(), ending);
            var bill = UsageCharges.Bill.of(caller, generation.id(), plan.echo().model(), ending);
            var last = StoredTurn.last(assembler.response(), caller.tenant()).of(() -> known(plan));
            if (stored) {
                boolean alone = plan.echo().conversation() == null;
                Runnable add = alone
                        ? steered.keeping(assembler, caller.tenant())
                        : () -> conversations.add(assembler.response(), caller.tenant());
                rows.finish(last, bill, add, onRecord);
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

    private static TurnRows.KnownRequest known(ResponsePlan plan) {
        return new TurnRows.KnownRequest(
                StoredTurn.of(plan, List.of()).write(), plan.echo().previousResponseId());
    }

    @Override
    public String kind() {
        return ResponsePlan.KIND;
    }

    @Override
    public TurnRun<?> rebuild(Generations.Generation generation, Accepted accepted, JsonNode echo) {
        var plan = WireJson.read(echo, ResponsePlan.class);
        return running(generation, plan, UsageCharges.remembered(accepted), accepted.stored())
                .run();
    }

    @Override
    public Optional<TurnRows.Last> notOnBus(StoredResponses.Row row) {
        return TurnIds.parseResponse(row.id())
                .map(id -> StoredTurn.failed(
                        id,
                        row.owner().tenant(),
                        StoredTurn.read(row.inputItemsJson()).plan(),
                        TurnEnding.Failure.NOT_ON_BUS));
    }
}
