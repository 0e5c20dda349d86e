package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.gateway.stream.ModelOutput;
import org.jspecify.annotations.Nullable;

/// A response that does not end because its client left.
record LastingGeneration(Generations.Generation generation) implements Generations.Generation {
    @Override
    public ResponseId id() {
        return generation.id();
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        return generation.next(atMostMillis);
    }

    @Override
    public void abandon() {
        // Its turn is brought to its end without a reader.
    }

    @Override
    public void settle() {
        generation.settle();
    }
}
