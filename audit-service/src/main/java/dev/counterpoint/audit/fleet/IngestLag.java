package dev.counterpoint.audit.fleet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// How old the oldest record is that was appended to `audit` and is not stored yet, told from how far each partition
/// reached and how far the group has come. What was appended between two looks counts from the earlier one, so that the
/// lag is never made smaller than it is by that. Not thread-safe.
final class IngestLag {
    /// So many looks back; a lag older than that is as old as the oldest of them.
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
            // What was there at a look and is stored now needs no look before that one.
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

    /// The first one tells the age; the second can go.
    private static void keepFirst(Deque<Look> seen) {
        var first = seen.removeFirst();
        seen.removeFirst();
        seen.addFirst(first);
    }
}
