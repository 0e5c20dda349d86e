package dev.counterpoint.openai.judge;

import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong, up to a limit.
final class Complaints {
    /// A stream that breaks more rules than this breaks one of them all the time.
    static final int KEPT_MAX = 100;

    private final List<Complaint> kept = new ArrayList<>();
    private Place place = Place.endAfter(0);
    private boolean muted;

    /// What is added from now on is about this place.
    void at(Place here) {
        place = here;
        muted = false;
    }

    /// The event at hand is malformed: what follows from that is not worth a complaint of its own.
    void muteRestOfEvent() {
        muted = true;
    }

    void add(Rule rule, String message) {
        if (!muted && kept.size() < KEPT_MAX) {
            kept.add(new Complaint(place, rule, message));
        }
    }

    List<Complaint> kept() {
        return List.copyOf(kept);
    }
}
