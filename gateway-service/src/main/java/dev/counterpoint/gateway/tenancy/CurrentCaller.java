package dev.counterpoint.gateway.tenancy;

import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/// The caller of the request at hand, for resources to inject. Known before any method under `/v1` runs.
/// Take the [Caller] out before a stream begins, because the request's scope may end first.
@RequestScoped
public class CurrentCaller {
    private @Nullable Caller caller;

    /// @throws IllegalStateException outside a request that an API key has opened
    public Caller get() {
        if (caller == null) {
            throw new IllegalStateException("no API key has opened this request");
        }
        return caller;
    }

    void set(Caller caller) {
        this.caller = caller;
    }
}
