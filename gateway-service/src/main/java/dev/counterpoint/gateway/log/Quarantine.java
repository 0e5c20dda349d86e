package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.SuspectReport;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The API keys whose jobs were there when workers were lost: after two such workers within ten minutes, each with a
/// job
/// of its own, new jobs of the key start isolated, until the ten minutes of one of them are over. One worker is not
/// enough: a machine that is taken away takes whatever a busy key had there. A job that proved to be harmless counts no
/// more. Keeps the latest ones. Thread-safe.
final class Quarantine {
    static final int LOSSES = 2;
    static final Duration MEMORY = Duration.ofMinutes(10);
    static final int KEPT_MAX = 10_000;

    /// In the order of their reports.
    private final Map<ResponseId, Suspect> suspects = new LinkedHashMap<>();
    /// By key, how many suspects each loss left.
    private final Map<String, Map<String, Integer>> lossesOf = new HashMap<>();

    /// @param loss the worker that was lost; the job itself where no worker is known
    private record Suspect(String key, String loss, long untilMillis) {}

    /// Takes the next report of the topic. One that is older than the memory changes nothing.
    synchronized void take(SuspectReport report, long nowMillis) {
        remove(report.response());
        long until = Math.min(report.atMillis(), nowMillis) + MEMORY.toMillis();
        if (report.finding() == SuspectReport.Finding.CLEARED || until <= nowMillis) {
            return;
        }
        var loss = Objects.requireNonNullElseGet(report.worker(), report.response()::toString);
        suspects.put(report.response(), new Suspect(report.key(), loss, until));
        lossesOf.computeIfAbsent(report.key(), _ -> new HashMap<>()).merge(loss, 1, Integer::sum);
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
            countLess(suspect);
        }
        return lossesOf.getOrDefault(key, Map.of()).size() >= LOSSES;
    }

    private void remove(ResponseId response) {
        var suspect = suspects.remove(response);
        if (suspect != null) {
            countLess(suspect);
        }
    }

    private void countLess(Suspect suspect) {
        lossesOf.computeIfPresent(suspect.key, (_, losses) -> {
            losses.computeIfPresent(suspect.loss, (_, count) -> count == 1 ? null : count - 1);
            return losses.isEmpty() ? null : losses;
        });
    }
}
