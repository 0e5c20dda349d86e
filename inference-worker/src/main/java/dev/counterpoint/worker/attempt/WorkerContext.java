package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.servicekit.tracing.Tracing;
import java.time.Duration;

/// The one engine of a worker and what every attempt on it shares.
///
/// @param keys of this worker
/// @param formTokensMax see `worker.form-tokens-max`
public record WorkerContext(
        Engine engine,
        EngineWatchdog watchdog,
        KeyRing keys,
        WorkerMetrics metrics,
        Times times,
        int formTokensMax,
        Tracing tracing) {
    /// @param progressInterval pause between two reports of an engine that works without a token
    /// @param reasoningLifetime how long sealed reasoning can be sent back, counted from its turn
    public record Times(Duration progressInterval, Duration reasoningLifetime) {}
}
