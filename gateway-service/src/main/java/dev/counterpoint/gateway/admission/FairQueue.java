package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Jobs of one model in the order in which they go: bands by their shares, within a band one tenant after another, of a
/// tenant first come, first served. So a job waits for one job of each other tenant of its band, however many of them
/// these have. Not thread-safe.
final class FairQueue {
    private final BandSchedule turns;
    /// Tenants of a band in the order of their turns; none of these maps is empty.
    private final Map<Band, SequencedMap<String, SequencedMap<ResponseId, PendingJob>>> bands =
            new EnumMap<>(Band.class);

    /// @param shares jobs of each band in a round, at least 1 each
    FairQueue(Map<Band, Integer> shares) {
        turns = new BandSchedule(shares);
    }

    void add(PendingJob job) {
        jobsOf(job).putLast(job.response(), job);
    }

    /// Puts a job back that was taken in vain: it is its tenant's next, and the tenant is its band's.
    void putBack(PendingJob job) {
        var jobs = jobsOf(job);
        jobs.putFirst(job.response(), job);
        tenantsOf(job).putFirst(job.tenant(), jobs);
    }

    private SequencedMap<String, SequencedMap<ResponseId, PendingJob>> tenantsOf(PendingJob job) {
        return bands.computeIfAbsent(job.band(), _ -> new LinkedHashMap<>());
    }

    private SequencedMap<ResponseId, PendingJob> jobsOf(PendingJob job) {
        return tenantsOf(job).computeIfAbsent(job.tenant(), _ -> new LinkedHashMap<>());
    }

    /// Takes the next one out.
    ///
    /// @param mayGo the tenants that have a turn now
    /// @return null when none of theirs waits
    @Nullable
    PendingJob poll(Predicate<String> mayGo) {
        var ready = EnumSet.noneOf(Band.class);
        bands.forEach((band, tenants) -> {
            if (tenants.keySet().stream().anyMatch(mayGo)) {
                ready.add(band);
            }
        });
        if (ready.isEmpty()) {
            return null;
        }
        var band = turns.next(ready);
        turns.took(band);
        var tenants = Objects.requireNonNull(bands.get(band));
        var tenant = tenants.keySet().stream().filter(mayGo).findFirst().orElseThrow();
        var jobs = Objects.requireNonNull(tenants.get(tenant));
        var next = jobs.firstEntry().getValue();
        // To the end of the line first: with nothing left of it, the tenant leaves it altogether.
        tenants.putLast(tenant, jobs);
        remove(next);
        return next;
    }

    /// Takes one out of turn; nothing happens when it is not there.
    void remove(PendingJob job) {
        var tenants = bands.get(job.band());
        var jobs = tenants == null ? null : tenants.get(job.tenant());
        if (tenants == null || jobs == null || jobs.remove(job.response()) == null) {
            return;
        }
        if (jobs.isEmpty()) {
            tenants.remove(job.tenant());
        }
        if (tenants.isEmpty()) {
            bands.remove(job.band());
        }
    }

    boolean isEmpty() {
        return bands.isEmpty();
    }
}
