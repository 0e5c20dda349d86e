package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.SuspectReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The API keys whose jobs were there when workers were lost: after two such jobs within ten minutes, new jobs of
/// the key start isolated, until the ten minutes of one of them are over. A job that proved to be harmless counts
/// no more. Keeps the latest ones. Thread-safe.
final class Quarantine {
    static final int SUSPECTS = 2;
    static final Duration MEMORY = Duration.ofMinutes(10);
    static final int KEPT_MAX = 10_000;

    /// In the order of their reports.
    private final Map<ResponseId, Suspect> suspects = new LinkedHashMap<>();
    private final Map<String, Integer> suspectsOf = new HashMap<>();

    private record Suspect(String key, long untilMillis) {}

    /// Takes the next report of the topic. One that is older than the memory changes nothing.
    synchronized void take(SuspectReport report, long nowMillis) {
        remove(report.response());
        long until = Math.min(report.atMillis(), nowMillis) + MEMORY.toMillis();
        if (report.finding() == SuspectReport.Finding.CLEARED || until <= nowMillis) {
            return;
        }
        suspects.put(report.response(), new Suspect(report.key(), until));
        suspectsOf.merge(report.key(), 1, Integer::sum);
        if (suspects.size() > KEPT_MAX) {
            remove(suspects.keySet().iterator().next());
        }
    }

    /// True if new jobs of the key start isolated.
    synchronized boolean holds(String key, long nowMillis) {
        var eldest = suspects.entrySet().iterator();
        while (eldest.hasNext()) {
            var suspect = eldest.next().getValue();
            if (suspect.untilMillis > nowMillis) {
                break;
            }
            eldest.remove();
            countLess(suspect.key);
        }
        return suspectsOf.getOrDefault(key, 0) >= SUSPECTS;
    }

    private void remove(ResponseId response) {
        var suspect = suspects.remove(response);
        if (suspect != null) {
            countLess(suspect.key);
        }
    }

    private void countLess(String key) {
        suspectsOf.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
}
