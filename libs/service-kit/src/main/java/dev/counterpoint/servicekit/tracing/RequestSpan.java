package dev.counterpoint.servicekit.tracing;

import dev.counterpoint.bus.tracing.TraceParent;
import org.jspecify.annotations.Nullable;

/// A stretch of the work on a request. Attributes are those of [SpanAttribute] and nothing else: ids, counts and fixed
/// words, and never what somebody or a model said. Ends once; what comes after the end has no effect. Thread-safe.
public interface RequestSpan {
    /// Of a request that is not traced: all it costs is the call.
    RequestSpan NONE = new RequestSpan() {};

    /// Its side of a conversation with another process.
    enum Side {
        NEITHER,
        SERVER,
        CLIENT,
        PRODUCER,
        CONSUMER
    }

    /// Null when nothing is recorded.
    default @Nullable TraceParent parent() {
        return null;
    }

    default boolean recorded() {
        return parent() != null;
    }

    /// @param name of a few fixed words
    default RequestSpan child(String name, Side side) {
        return this;
    }

    /// A child that began earlier.
    ///
    /// @param sinceMillis milliseconds since 1970
    default RequestSpan child(String name, Side side, long sinceMillis) {
        return child(name, side);
    }

    default RequestSpan with(SpanAttribute attribute, String value) {
        return this;
    }

    default RequestSpan with(SpanAttribute attribute, long value) {
        return this;
    }

    /// @param kind a fixed word, or the name of a class
    default RequestSpan failed(String kind) {
        return this;
    }

    default void end() {}
}
