package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.admission.Admission;
import org.jspecify.annotations.Nullable;

/// A response whose place is free again once its reader has the last of it: until then it costs memory, however long
/// ago the model ended.
record PlacedGeneration(Generations.Generation outputs, Admission admission) implements Generations.Generation {
    @Override
    public ResponseId id() {
        return outputs.id();
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        boolean more = false;
        try {
            var output = outputs.next(atMostMillis);
            more = !(output instanceof ModelOutput.Finished || output instanceof ModelOutput.Stopped);
            return output;
        } catch (InterruptedException e) {
            more = true;
            throw e;
        } finally {
            if (!more) {
                admission.readerLeft(id());
            }
        }
    }

    @Override
    public void abandon() {
        outputs.abandon();
    }

    @Override
    public void settle() {
        outputs.settle();
    }
}
