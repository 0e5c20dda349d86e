package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.audit.AccessEntry;
import java.util.concurrent.CompletionStage;

/// The record of everybody who is about to see raw reasoning. Thread-safe.
@FunctionalInterface
public interface AccessLog {
    /// @return done when the entry is on record; failed when it is not known to be
    CompletionStage<Void> record(AccessEntry entry);
}
