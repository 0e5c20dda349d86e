package dev.counterpoint.engine.http;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineHealth.Status;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.EngineStatistics;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Slots;
import dev.counterpoint.engine.TokenSink;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// An engine whose model runs in servers. A subclass defines how one output is produced. Thread-safe.
public abstract class UpstreamEngine implements Engine {
    /// For so long after its beginning no answer of a server is no fault.
    private static final Duration BEING_ASKED = Duration.ofSeconds(15);
    private static final int LEEWAY = 8;

    private final EngineDescription description;
    private final UpstreamClient client;
    private final Slots<StreamedGeneration> slots;
    private final LongAdder said = new LongAdder();
    private final long begunNanos = System.nanoTime();

    /// Does not wait for the servers: the engine is not ready until one has answered.
    ///
    /// @param examiner looks at servers before they are used
    protected UpstreamEngine(EngineDescription description, UpstreamAccess access, ServerExaminer examiner) {
        this.description = description;
        client = new UpstreamClient(access, examiner);
        slots = new Slots<>(description.slots());
    }

    /// The work that makes one output.
    ///
    /// @throws IllegalArgumentException when this engine cannot do what the request asks
    protected abstract StreamedGeneration.Run run(UpstreamClient client, GenerationRequest request);

    /// True if this engine may take jobs as soon as a server is well. Asked with each question after its
    /// health.
    protected boolean prepared() {
        return true;
    }

    /// The addresses of the servers that are well.
    protected final List<URI> wellServers() {
        return addresses(UpstreamServer::ready);
    }

    private List<URI> addresses(Predicate<UpstreamServer> which) {
        return client.servers().stream()
                .filter(which)
                .map(UpstreamServer::address)
                .toList();
    }

    /// What the engine has against servers, by their addresses.
    protected final Map<URI, String> objections() {
        var against = new LinkedHashMap<URI, String>();
        for (var server : client.servers()) {
            var objection = server.objection();
            if (objection != null) {
                against.put(server.address(), objection);
            }
        }
        return against;
    }

    /// Why the engine leaves servers out. Every reader of the list of models may see it, so it holds no addresses.
    protected final Optional<String> leftOut() {
        var against = objections();
        return against.isEmpty()
                ? Optional.empty()
                : Optional.of("%d of %d servers left out, because one %s"
                        .formatted(
                                against.size(),
                                client.servers().size(),
                                against.values().stream().distinct().collect(Collectors.joining("; one "))));
    }

    /// The word about a server whose context is much smaller than the operator's setting. What a server keeps for
    /// itself, a few tokens, is no fault of its operator.
    ///
    /// @param told tokens of prompt and output that the smallest server takes
    /// @param wanted tokens of the setting
    /// @return with both figures; empty where they are about the same
    public static Optional<String> smallContext(int told, int wanted) {
        return told < wanted - wanted / LEEWAY
                ? Optional.of(
                        "context of %d tokens by a server, %d by worker.remote.context-length".formatted(told, wanted))
                : Optional.empty();
    }

    /// For operators, with addresses: servers that are silent or cannot serve, and those with a small context.
    @Override
    public List<EngineNotice> notices() {
        if (beingAsked()) {
            return List.of(new EngineNotice(EngineNotice.Code.BEING_EXAMINED, "no server has answered yet"));
        }
        var notices = new ArrayList<EngineNotice>();
        objections()
                .forEach((address, why) -> notices.add(new EngineNotice(EngineNotice.Code.UNFIT, address + " " + why)));
        addresses(server -> !server.usable() && server.objection() == null)
                .forEach(address ->
                        notices.add(new EngineNotice(EngineNotice.Code.SILENT, address + " does not answer")));
        smallContext(describe().contextLength(), description.contextLength())
                .ifPresent(text -> notices.add(new EngineNotice(EngineNotice.Code.CONTEXT, text)));
        return List.copyOf(notices);
    }

    /// True while no server has answered, soon after the beginning.
    protected final boolean beingAsked() {
        return System.nanoTime() - begunNanos < BEING_ASKED.toNanos()
                && wellServers().isEmpty()
                && objections().isEmpty();
    }

    protected final List<UpstreamServer> usableServers() {
        return client.servers().stream().filter(UpstreamServer::usable).toList();
    }

    @Override
    public EngineDescription describe() {
        return description;
    }

    @Override
    public final Generation start(GenerationRequest request, TokenSink sink) {
        request.requireIdsOf(description.vocabularySize());
        var run = run(client, request);
        slots.resize(describe().slots());
        var generation = slots.take(
                () -> new StreamedGeneration(description.engine(), client, run, sink, said::increment, slots::release));
        generation.begin();
        return generation;
    }

    @Override
    public final EngineHealth health() {
        if (slots.closed()) {
            return EngineHealth.CLOSED;
        }
        var now = describe();
        slots.resize(now.slots());
        int ready = wellServers().size();
        boolean prepared = prepared();
        var against = objections().entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .toList();
        var detail = ready + " of " + client.servers().size() + " servers are well"
                + (prepared ? "" : ", their model is not known yet")
                + (against.isEmpty() ? "" : "; left out: " + String.join("; ", against));
        long freeTokens = (long) slots.free() * now.contextLength();
        return ready > 0 && prepared
                ? new EngineHealth(Status.READY, slots.free(), freeTokens, detail)
                : new EngineHealth(Status.STARTING, 0, freeTokens, detail);
    }

    /// Only the tokens of outputs are known; what the servers computed besides is not.
    @Override
    public final EngineStatistics statistics() {
        return new EngineStatistics(0, said.sum(), 0, 0, 0);
    }

    @Override
    public void close() {
        if (slots.close()) {
            client.close();
        }
    }
}
