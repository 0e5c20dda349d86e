package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.job.SuspectReport;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// The API keys that are refused because their jobs crash workers. After two jobs of a key ended so within ten minutes,
/// through different lost workers, its requests are refused for ten minutes. One lost worker counts once, however many
/// jobs of the key it had: a machine that is taken away takes all of them. Remembers the latest keys. Thread-safe.
@Singleton
final class Quarantine {
    static final Duration MEMORY = Duration.ofMinutes(10);
    static final int KEYS_MAX = 10_000;

    private final SequencedMap<String, Evidence> keys = new LinkedHashMap<>();

    /// @param worker incarnation of the worker that a job of the key lost last
    /// @param atMillis when that job ended
    private record Evidence(String worker, long atMillis, long refusedUntilMillis) {
        Evidence and(String lost, long millis) {
            boolean second = !worker.equals(lost) && millis - atMillis < MEMORY.toMillis();
            return new Evidence(lost, millis, second ? millis + MEMORY.toMillis() : refusedUntilMillis);
        }
    }

    /// Takes the next report of the topic. Only the end of a response whose lost worker is known counts.
    synchronized void take(SuspectReport report, long nowMillis) {
        var worker = report.worker();
        if (!report.ended() || worker == null || report.finding() == SuspectReport.Finding.CLEARED) {
            return;
        }
        long at = Math.min(report.atMillis(), nowMillis);
        var known = keys.remove(report.key());
        keys.putLast(report.key(), known == null ? new Evidence(worker, at, 0) : known.and(worker, at));
        if (keys.size() > KEYS_MAX) {
            keys.pollFirstEntry();
        }
    }

    /// The time for which requests of the key are still refused; zero when they are served.
    synchronized Duration refusedFor(String key, long nowMillis) {
        var evidence = keys.get(key);
        return evidence == null
                ? Duration.ZERO
                : Duration.ofMillis(Math.max(0, evidence.refusedUntilMillis - nowMillis));
    }
}
