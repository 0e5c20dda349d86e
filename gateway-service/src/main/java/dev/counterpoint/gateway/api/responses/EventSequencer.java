package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.turn.DeltaPadding;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Numbers events as they arise, and pads those that tell of single tokens. Not thread-safe.
final class EventSequencer {
    private final @Nullable DeltaPadding padding;
    private final List<StreamEvent> events = new ArrayList<>();
    private long next;

    /// @param padding of deltas, or null for none
    EventSequencer(@Nullable DeltaPadding padding) {
        this.padding = padding;
    }

    /// A delta, made from its sequence number and its padding.
    @FunctionalInterface
    interface Delta {
        StreamEvent of(long sequenceNumber, @Nullable String obfuscation);
    }

    /// @param event made from its sequence number
    void add(LongFunction<StreamEvent> event) {
        events.add(event.apply(next));
        next++;
    }

    /// @param text that it brings
    void add(String text, Delta event) {
        add(text, List.of(), event);
    }

    /// @param text that it brings
    /// @param beside what it brings with the text
    void add(String text, List<?> beside, Delta event) {
        int bytes = padding == null ? 0 : DeltaPadding.size(text) + DeltaPadding.size(beside);
        events.add(event.of(next, padding == null ? null : padding.of(next, bytes)));
        next++;
    }

    /// The events since the last call, in order.
    List<StreamEvent> take() {
        var taken = List.copyOf(events);
        events.clear();
        return taken;
    }
}
