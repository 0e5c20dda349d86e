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

/// Jobs of one model in their order: bands by their shares, within a band the tenants in turn, within a tenant first
/// come, first served. So a job waits for one job of each other tenant of its band, not for all of them.
/// Not thread-safe.
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

    /// Puts back a job that could not be sent: it is the next of its tenant, and the tenant the next of its band.
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
        // Move the tenant to the end first; without jobs it leaves the queue.
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
