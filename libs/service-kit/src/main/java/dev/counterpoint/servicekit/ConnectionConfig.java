package dev.counterpoint.servicekit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/// How long a connection may be held without being used. The setting `quarkus.http.limits.max-connections` bounds
/// their number.
@ConfigMapping(prefix = "counterpoint.http")
public interface ConnectionConfig {
    /// Time from the opening of a connection to the end of its first request's head, however the bytes trickle in.
    /// A connection is closed up to a second later.
    @WithDefault("10s")
    Duration headTimeout();

    /// Time from the end of an answer to the end of the next request's head on the same connection. Longer than
    /// load balancers keep idle connections (60 seconds), so that they close first.
    @WithDefault("75s")
    Duration keepAliveTimeout();

    /// Time from the end of a request's head to the end of its body.
    @WithDefault("2m")
    Duration bodyTimeout();
}
