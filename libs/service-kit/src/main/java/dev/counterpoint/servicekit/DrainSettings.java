package dev.counterpoint.servicekit;

import java.time.Duration;

/// How a service drains; a service with a [Drain] has a bean of this.
///
/// @param delay how long the service says that it is not ready, and still takes new requests, so that their senders
///     have time to notice
/// @param timeout how long open requests may continue after that
/// @param refusal the answer to new requests meanwhile
public record DrainSettings(Duration delay, Duration timeout, HttpProblem refusal) {}
