package dev.counterpoint.gateway.fleet;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The models that live workers serve, as their heartbeats tell. Thread-safe.
public interface Fleet {
    /// One entry for each model that at least one live worker serves, or one that fell silent a moment ago, sorted by
    /// name; slots are summed.
    List<Heartbeat.Model> models();

    /// True when a model that nobody serves now may exist: a worker served it within the last hour, or this gateway has
    /// not listened for long enough to know, or no worker lives at all.
    boolean mayExist(String name);

    /// The delay of the services of a role, by the best of them: the delay it last told plus the time since then. The
    /// delay of a role that was never heard of counts from this gateway's start.
    Duration lag(ServiceRole role);

    /// Names of the gateways that live, this one included; empty while this gateway has not listened for long enough to
    /// know. One that is merely silent for a while lives.
    Optional<Set<String>> livingGateways();

    default Optional<Heartbeat.Model> model(String name) {
        return models().stream().filter(model -> model.name().equals(name)).findFirst();
    }
}
