package dev.counterpoint.worker.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The slots of an engine, and the generations that hold them. Thread-safe.
public final class Slots<G extends Generation> {
    private final int size;
    private final AtomicInteger free;
    private final Set<G> running = ConcurrentHashMap.newKeySet();

    /// @param size at least 1
    public Slots(int size) {
        this.size = size;
        this.free = new AtomicInteger(size);
    }

    /// A new generation, which holds a slot until its [#release].
    ///
    /// @throws EngineBusyException when every slot is taken
    public G take(Supplier<G> begin) {
        if (free.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            throw new EngineBusyException(size);
        }
        var generation = begin.get();
        running.add(generation);
        return generation;
    }

    /// Gives the slot back; without effect on a generation that holds none.
    public void release(G generation) {
        if (running.remove(generation)) {
            free.incrementAndGet();
        }
    }

    public int free() {
        return free.get();
    }

    /// For each generation that holds a slot.
    public void forEach(Consumer<? super G> action) {
        running.forEach(action);
    }
}
