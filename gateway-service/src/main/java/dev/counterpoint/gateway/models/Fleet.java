package dev.counterpoint.gateway.models;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.fleet.Beat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Which models live workers serve, as their beats tell. Thread-safe.
public interface Fleet {
    /// One entry for each model that at least one live worker serves, sorted by name; slots are summed.
    List<Beat.Model> models();

    /// Whether a model that nobody serves now may be one: a worker served it within the last hour, or this gateway has
    /// not listened for long enough to know, or no worker lives at all.
    boolean mayExist(String name);

    /// How far behind the services of a role are, by the best of them: what it last said and how long ago
    /// that was. Of a role that was never heard of, it counts from this gateway's start.
    Duration lag(Role role);

    default Optional<Beat.Model> model(String name) {
        return models().stream().filter(model -> model.name().equals(name)).findFirst();
    }
}
