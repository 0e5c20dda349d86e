package dev.counterpoint.servicekit;

import java.time.Duration;

/// How a service drains; a service with a [Drain] has a bean of this.
///
/// @param timeout how long open requests may go on at a stop
/// @param refusal the answer to new requests meanwhile
public record DrainSettings(Duration timeout, HttpProblem refusal) {}
