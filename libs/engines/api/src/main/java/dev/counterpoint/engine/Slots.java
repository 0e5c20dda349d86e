package dev.counterpoint.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The slots of an engine and the generations that hold them, until the engine closes. Thread-safe.
public final class Slots<G extends Generation> {
    private final AtomicInteger held = new AtomicInteger();
    private final Set<G> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    private volatile int size;

    /// @param size at least 1
    public Slots(int size) {
        this.size = size;
    }

    /// From now on there are as many; those that are held beyond it stay held.
    public void resize(int now) {
        size = now;
    }

    /// A new generation, which holds a slot until its [#release]. A generation that begins while the engine closes
    /// comes back cancelled.
    ///
    /// @throws EngineBusyException when every slot is taken
    /// @throws IllegalStateException when the engine is closed
    public G take(Supplier<G> begin) {
        if (closed.get()) {
            throw new IllegalStateException("the engine is closed");
        }
        int now = size;
        if (held.getAndUpdate(taken -> taken < now ? taken + 1 : taken) >= now) {
            throw new EngineBusyException(now);
        }
        var generation = begin.get();
        running.add(generation);
        if (closed.get()) {
            generation.cancel();
        }
        return generation;
    }

    /// Gives the slot back; without effect on a generation that holds none.
    public void release(G generation) {
        if (running.remove(generation)) {
            held.decrementAndGet();
        }
    }

    public int free() {
        return Math.max(0, size - held.get());
    }

    /// Runs the action for each generation that holds a slot.
    public void forEach(Consumer<? super G> action) {
        running.forEach(action);
    }

    public boolean closed() {
        return closed.get();
    }

    /// Cancels what runs and lets nothing begin any more.
    ///
    /// @return whether this call closed the engine; false for every later one
    public boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        running.forEach(Generation::cancel);
        return true;
    }
}
