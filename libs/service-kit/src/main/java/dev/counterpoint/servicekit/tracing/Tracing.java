package dev.counterpoint.servicekit.tracing;

import dev.counterpoint.bus.tracing.TraceParent;
import org.jspecify.annotations.Nullable;

/// Begins spans. Thread-safe.
public interface Tracing {
    /// Records nothing.
    Tracing OFF = new Tracing() {
        @Override
        public boolean on() {
            return false;
        }

        @Override
        public RequestSpan request(String name, @Nullable TraceParent caller) {
            return RequestSpan.NONE;
        }

        @Override
        public RequestSpan of(@Nullable TraceParent parent) {
            return RequestSpan.NONE;
        }
    };

    boolean on();

    /// Begins the first span of a request, or none: not every request is traced.
    ///
    /// @param caller named by the request
    RequestSpan request(String name, @Nullable TraceParent caller);

    /// The span of another service, to begin children of it; none where nobody records it.
    RequestSpan of(@Nullable TraceParent parent);
}
