package dev.counterpoint.validator;

import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong, up to a limit.
final class StreamViolations {
    /// A stream that breaks more rules than this breaks one of them all the time.
    static final int KEPT_MAX = 100;

    private final List<StreamViolation> kept = new ArrayList<>();
    private StreamPosition place = StreamPosition.endAfter(0);
    private boolean muted;

    /// What is added from now on is about this place.
    void at(StreamPosition here) {
        place = here;
        muted = false;
    }

    /// The event at hand is malformed: what follows from that is not worth a violation of its own.
    void muteRestOfEvent() {
        muted = true;
    }

    void add(ValidationRule rule, String message) {
        if (!muted && kept.size() < KEPT_MAX) {
            kept.add(new StreamViolation(place, rule, message));
        }
    }

    List<StreamViolation> kept() {
        return List.copyOf(kept);
    }
}
