package dev.counterpoint.gateway.api.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.idempotency.IdempotentRequests;
import dev.counterpoint.gateway.store.StoredCompletions;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.UsageCharges;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Runs chat completions and brings them to their end. Thread-safe.
@ApplicationScoped
class ChatCompletions implements TurnRebuilder {
    private final ChatTranslation translation;
    private final Generations generations;
    private final IdempotentRequests requests;
    private final TurnRows rows;
    private final UsageCharges charges;
    private final OpenToolTurns openTurns;
    private final StoredCompletions kept;

    ChatCompletions(
            ChatTranslation translation,
            Generations generations,
            IdempotentRequests requests,
            TurnRows rows,
            UsageCharges charges,
            OpenToolTurns openTurns,
            StoredCompletions kept) {
        this.translation = translation;
        this.generations = generations;
        this.requests = requests;
        this.rows = rows;
        this.charges = charges;
        this.openTurns = openTurns;
        this.kept = kept;
    }

    /// One answer under way; a completion has as many as were asked for.
    record Running(ChatAssembler assembler, TurnRun<ChatChunk> run) {}

    /// Checks the request, writes its row if it is stored, and starts one generation for each wanted answer.
    ///
    /// @param key by which the request may come again
    /// @return the answers in order, at least one
    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    /// @throws dev.counterpoint.servicekit.ProblemException when model, rights or quota lack
    List<Running> start(Caller caller, ChatRequest request, Optional<IdempotencyKey> key) throws InterruptedException {
        var earlier = requests.earlier(key);
        if (earlier.isPresent()) {
            return List.of(again(earlier.get()));
        }
        var order = translation.order(caller, request, key.isPresent());
        int choices = ChatRules.choices(request);
        var ids = new ArrayList<ResponseId>();
        var running = new ArrayList<Running>();
        try {
            for (int i = 0; i < choices; i++) {
                ids.add(generations.newResponse(caller.tenant(), caller.key()));
            }
            for (int i = 0; i < choices; i++) {
                running.add(begin(ids, i, order, key));
            }
            return running;
        } finally {
            ids.forEach(generations::giveBack);
            if (running.size() < choices) {
                running.forEach(answer -> answer.run().abandon());
            }
        }
    }

    /// Paths of the options that the request's model has no use for.
    Set<String> optionsWithoutEffect(ChatRequest request) {
        return translation.optionsWithoutEffect(request);
    }

    /// Begins the answer at `index` of a completion that has the id of its first answer.
    private Running begin(List<ResponseId> ids, int index, CheckedChat whole, Optional<IdempotencyKey> key)
            throws InterruptedException {
        var order = ids.size() == 1 ? whole : whole.choice(index, new TurnIds(ids.getFirst()).completion());
        return switch (requests.start(ids.get(index), order, key)) {
            case Replays.Replay replay -> again(replay);
            case Generations.Generation own -> running(own, order.plan(), order.caller(), order.stored());
        };
    }

    /// The completion to an earlier request under the same key, once more.
    private Running again(Replays.Replay replay) {
        var epilogue = requests.epilogue(replay, new TurnIds(replay.id()).completion());
        var assembler = new ChatAssembler(replay.id(), WireJson.read(replay.echo(), ChatPlan.class));
        return new Running(assembler, new TurnRun<>(replay, assembler, epilogue));
    }

    private Running running(Generations.Generation generation, ChatPlan plan, Caller caller, boolean stored) {
        var assembler = new ChatAssembler(generation.id(), plan);
        var run = new TurnRun<>(generation, assembler, (ending, onRecord) -> {
            var id = new TurnIds(generation.id()).completion();
            requests.ended(generation.id(), ending);
            openTurns.keep(generation.id(), caller, plan.user(), assembler);
            if (assembler.answered() && plan.openCalls() != null) {
                openTurns.forget(id, caller, plan.openCalls());
            }
            var whole = UsageCharges.Bill.of(caller, generation.id(), plan.model(), ending);
            // The prompt of several answers is the same one, and counts once.
            var bill = plan.index() == 0 ? whole : whole.withoutPrompt();
            if (stored) {
                var last = StoredChat.last(generation.id(), caller.tenant(), assembler, ending);
                var metadata = Objects.requireNonNullElse(plan.metadata(), Map.<String, String>of());
                Runnable index = () -> kept.index(last.id(), last.tenant(), metadata);
                rows.finish(last, bill, metadata.isEmpty() ? null : index, onRecord);
            } else {
                charges.charge(bill);
                onRecord.run();
            }
        });
        return new Running(assembler, run);
    }

    @Override
    public String kind() {
        return ChatPlan.KIND;
    }

    @Override
    public TurnRun<?> rebuild(Generations.Generation generation, Accepted accepted, JsonNode echo) {
        var plan = WireJson.read(echo, ChatPlan.class);
        return running(generation, plan, UsageCharges.remembered(accepted), accepted.stored())
                .run();
    }

    @Override
    public Optional<TurnRows.Last> notOnBus(StoredResponses.Row row) {
        return TurnIds.parseCompletion(row.id())
                .map(_ -> StoredChat.failed(row.id(), row.owner().tenant()));
    }
}
