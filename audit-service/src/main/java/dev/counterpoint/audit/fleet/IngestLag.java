package dev.counterpoint.audit.fleet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Estimates the age of the oldest unstored record of `audit` from each partition's end and the group's offset. A
/// record that was appended between two samples counts from the earlier one, so the estimate is never too small.
/// Not thread-safe.
final class IngestLag {
    /// The number of kept samples; an older lag counts as old as the oldest sample.
    private static final int LOOKS_MAX = 3_600;

    private final Map<Integer, Deque<Look>> looks = new HashMap<>();

    /// @param end the offset of the next record that will be appended
    private record Look(long atMillis, long end) {}

    /// @param ends for each partition, the offset of the next record that will be appended
    /// @param stored for each partition, the offset of the next record to store
    /// @return milliseconds; 0 when all is stored
    long look(long nowMillis, Map<Integer, Long> ends, Map<Integer, Long> stored) {
        long oldest = nowMillis;
        for (var end : ends.entrySet()) {
            var seen = looks.computeIfAbsent(end.getKey(), _ -> new ArrayDeque<>());
            long next = stored.getOrDefault(end.getKey(), 0L);
            // Drops samples before the last one whose records are all stored.
            while (seen.size() > 1 && second(seen).end <= next) {
                seen.removeFirst();
            }
            if (next < end.getValue()) {
                oldest = Math.min(oldest, seen.isEmpty() ? nowMillis : seen.getFirst().atMillis);
            } else {
                seen.clear();
            }
            seen.addLast(new Look(nowMillis, end.getValue()));
            if (seen.size() > LOOKS_MAX) {
                keepFirst(seen);
            }
        }
        return nowMillis - oldest;
    }

    private static Look second(Deque<Look> seen) {
        var all = seen.iterator();
        all.next();
        return all.next();
    }

    /// Drops the second look: the first one tells the age.
    private static void keepFirst(Deque<Look> seen) {
        var first = seen.removeFirst();
        seen.removeFirst();
        seen.addFirst(first);
    }
}
