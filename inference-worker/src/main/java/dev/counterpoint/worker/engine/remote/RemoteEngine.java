package dev.counterpoint.worker.engine.remote;

import dev.counterpoint.worker.engine.Engine;
import dev.counterpoint.worker.engine.EngineDescription;
import dev.counterpoint.worker.engine.EngineDescription.Ability;
import dev.counterpoint.worker.engine.EngineHealth;
import dev.counterpoint.worker.engine.EngineHealth.Status;
import dev.counterpoint.worker.engine.EngineStatistics;
import dev.counterpoint.worker.engine.Generation;
import dev.counterpoint.worker.engine.GenerationRequest;
import dev.counterpoint.worker.engine.Slots;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/// A gpt-oss model in one or more servers, all of one kind and all with the same model.
///
/// A prefix is continued as if it were prompt. At temperature 0 it goes on exactly, as far as the
/// server computes alike; above, every draw is a function of the seed and of where the request began,
/// so the same request draws alike but a resumed one need not; SGLang with
/// `--enable-deterministic-inference` draws by position, so that there it does. Penalties go on over a
/// prefix: frequency exactly, presence as [Ask#biasOfOutput] says.
///
/// A mask is told with each request, as bias or as a list of tokens. Where only one token is allowed no
/// server is asked, and its log probability is 0. The other log probabilities are the servers': vLLM's
/// and llama-server's from before bias and mask, SGLang's from after the bias and the temperature; one
/// that a server does not name is -9999, as in OpenAI's API.
///
/// Cached prompt work is shared under one salt only: vLLM and SGLang are told the salt, and
/// llama-server, which knows none, keeps nothing unless all requests have the same.
public final class RemoteEngine implements Engine {
    private final RemoteOptions options;
    private final Servers servers;
    private final EngineDescription description;
    private final Slots<RemoteGeneration> slots;
    private final LongAdder said = new LongAdder();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// Does not wait for the servers: until one has answered it is not ready.
    public RemoteEngine(RemoteOptions options) {
        this.options = options;
        servers = new Servers(new Servers.Access(
                options.servers(),
                options.apiKey(),
                options.times(),
                options.dialect().healthPath()));
        slots = new Slots<>(options.slots());
        description = new EngineDescription(
                "remote",
                options.model(),
                options.model() + " by " + options.dialect().server(),
                options.contextLength(),
                (long) options.slots() * options.contextLength(),
                options.slots(),
                TokenIds.VOCABULARY,
                Set.of(Ability.FEW_TOKEN_MASKS, Ability.LOGPROBS, Ability.CONTINUES_INSIDE_CONSTRAINT));
    }

    @Override
    public EngineDescription describe() {
        return description;
    }

    @Override
    public Generation start(GenerationRequest request) {
        request.requireIdsOf(TokenIds.VOCABULARY);
        if (closed.get()) {
            throw new IllegalStateException("the engine is closed");
        }
        var run = new RemoteRun(servers, options, request, said::increment);
        var generation = slots.take(() -> new RemoteGeneration(run::follow, slots::release));
        generation.begin();
        if (closed.get()) {
            generation.cancel();
        }
        return generation;
    }

    @Override
    public EngineHealth health() {
        if (closed.get()) {
            return new EngineHealth(Status.FAILED, 0, 0, "closed");
        }
        int ready = servers.ready();
        var detail = ready + " of " + servers.size() + " servers are well";
        long freeTokens = (long) slots.free() * description.contextLength();
        return ready > 0
                ? new EngineHealth(Status.READY, slots.free(), freeTokens, detail)
                : new EngineHealth(Status.STARTING, 0, freeTokens, detail);
    }

    /// Only the tokens of outputs are known; what the servers computed besides is not.
    @Override
    public EngineStatistics statistics() {
        return new EngineStatistics(0, said.sum(), 0, 0, 0);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            slots.forEach(RemoteGeneration::cancel);
            servers.close();
        }
    }
}
