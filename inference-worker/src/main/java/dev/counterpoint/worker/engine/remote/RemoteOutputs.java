package dev.counterpoint.worker.engine.remote;

import dev.counterpoint.worker.engine.EngineDescription;
import dev.counterpoint.worker.engine.EngineHealth;
import dev.counterpoint.worker.engine.EngineHealth.Status;
import dev.counterpoint.worker.engine.EngineStatistics;
import dev.counterpoint.worker.engine.Generation;
import dev.counterpoint.worker.engine.Slots;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/// The outputs under way of an engine whose model is in servers, from the engine's start to its end. Thread-safe.
public final class RemoteOutputs implements AutoCloseable {
    private final EngineDescription description;
    private final Servers servers;
    private final Slots<RemoteGeneration> slots;
    private final LongAdder said = new LongAdder();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param description of the engine
    /// @param servers closed with this
    public RemoteOutputs(EngineDescription description, Servers servers) {
        this.description = description;
        this.servers = servers;
        slots = new Slots<>(description.slots());
    }

    /// Lets an output begin.
    ///
    /// @throws IllegalStateException when closed
    /// @throws dev.counterpoint.worker.engine.EngineBusyException when all slots are taken
    public Generation start(RemoteGeneration.Run run) {
        if (closed.get()) {
            throw new IllegalStateException("the engine is closed");
        }
        var generation =
                slots.take(() -> new RemoteGeneration(description.engine(), run, said::increment, slots::release));
        generation.begin();
        if (closed.get()) {
            generation.cancel();
        }
        return generation;
    }

    /// Not ready until a server has answered.
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
    public EngineStatistics statistics() {
        return new EngineStatistics(0, said.sum(), 0, 0, 0);
    }

    /// Cancels what is under way.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            slots.forEach(RemoteGeneration::cancel);
            servers.close();
        }
    }
}
