package dev.counterpoint.worker.output;

import java.util.List;

/// Finds the first of some texts in a text that grows, and holds back what may become one. Not thread-safe.
final class StopSequences {
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean found;

    StopSequences(List<String> stops) {
        this.stops = stops.stream().filter(stop -> !stop.isEmpty()).toList();
    }

    /// Adds text and returns the part that cannot belong to a stop sequence.
    String accept(String text) {
        if (stops.isEmpty()) {
            return text;
        }
        held.append(text);
        int end = firstStop();
        if (end >= 0) {
            found = true;
            return take(end);
        }
        return take(held.length() - possibleStart());
    }

    /// The text ends: nothing held back can become a stop sequence any more.
    String finish() {
        return found ? "" : take(held.length());
    }

    boolean found() {
        return found;
    }

    private int firstStop() {
        return stops.stream()
                .mapToInt(held::indexOf)
                .filter(at -> at >= 0)
                .min()
                .orElse(-1);
    }

    /// Length of the longest end of the text with which a stop sequence begins.
    private int possibleStart() {
        for (int length = held.length(); length > 0; length--) {
            var tail = held.substring(held.length() - length);
            if (stops.stream().anyMatch(stop -> stop.startsWith(tail))) {
                return length;
            }
        }
        return 0;
    }

    private String take(int length) {
        var taken = held.substring(0, length);
        held.delete(0, length);
        return taken;
    }
}
