package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.bus.frame.Accepted;

/// A request that came before under the same key.
///
/// @param generation what became of it, from its first output on; leaving it changes nothing for it
/// @param echo what the gateway that accepted it wished to remember of it
public record Earlier(RepeatedGeneration generation, Accepted accepted, byte[] echo) {}
