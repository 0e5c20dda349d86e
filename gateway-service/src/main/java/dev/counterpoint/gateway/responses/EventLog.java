package dev.counterpoint.gateway.responses;

import dev.counterpoint.openai.responses.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/// Numbers events as they arise. Not thread-safe.
final class EventLog {
    private final List<StreamEvent> events = new ArrayList<>();
    private long next;

    /// @param event made from its sequence number
    void add(LongFunction<StreamEvent> event) {
        events.add(event.apply(next));
        next++;
    }

    /// What arose since the last time, in order.
    List<StreamEvent> take() {
        var taken = List.copyOf(events);
        events.clear();
        return taken;
    }
}
