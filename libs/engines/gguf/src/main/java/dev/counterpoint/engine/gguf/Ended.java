package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;

/// An output that ended before it began.
///
/// @param detail for operators, without content
record Ended(StopReason reason, String detail) implements Generation {
    @Override
    public Step next() {
        return new Step.Stopped(reason, detail);
    }

    @Override
    public void cancel() {
        // It has ended.
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
