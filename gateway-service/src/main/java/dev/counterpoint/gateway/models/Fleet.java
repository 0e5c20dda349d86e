package dev.counterpoint.gateway.models;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.fleet.Beat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The models that live workers serve, as their heartbeats tell. Thread-safe.
public interface Fleet {
    /// One entry for each model that at least one live worker serves, sorted by name; slots are summed.
    List<Beat.Model> models();

    /// True when a model that nobody serves now may exist: a worker served it within the last hour, or this gateway has
    /// not listened for long enough to know, or no worker lives at all.
    boolean mayExist(String name);

    /// The delay of the services of a role, by the best of them: the delay it last told plus the time since then. The
    /// delay of a role that was never heard of counts from this gateway's start.
    Duration lag(Role role);

    default Optional<Beat.Model> model(String name) {
        return models().stream().filter(model -> model.name().equals(name)).findFirst();
    }
}
