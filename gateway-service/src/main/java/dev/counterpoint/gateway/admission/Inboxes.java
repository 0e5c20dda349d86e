package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.fleet.InboxWorker;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The inboxes of workers: chooses one for each job, and tracks the tickets of this gateway that no worker has fenced.
/// Thread-safe; waits for nobody.
@Singleton
public final class Inboxes {
    /// A worker that polls has taken a ticket by then, if it has a slot.
    private static final int BEATS_TO_TAKE = 2;
    private static final int DEATHS_MAX = 2;
    /// Limit of a worker's load despite equal prompt prefixes: this multiple of the mean load, plus a constant.
    private static final double LOAD_LIMIT = 1.25;

    private static final int EXTRA_LOAD = 2;

    /// In place of a partition's number.
    private static final int UNSENT = -1;

    private final FleetMembership fleet;
    private final Map<ResponseId, Ticket> standing = new HashMap<>();
    /// The turn at which each partition got its last ticket.
    private final Map<Partition, Long> turns = new HashMap<>();

    private long turn;

    public Inboxes(FleetMembership fleet) {
        this.fleet = fleet;
    }

    /// Whose inboxes these are.
    FleetMembership fleet() {
        return fleet;
    }

    private record Partition(String model, int number) {}

    /// A ticket without a fence, or one that waits for a worker to come.
    ///
    /// @param worker that had the partition when it was sent, or that got it later
    /// @param offset [Long#MAX_VALUE] while nobody knows
    /// @param beats of the worker when the broker had the ticket
    /// @param deaths workers that died with a ticket of this attempt
    /// @param moved whether it was sent again because its worker did not take it
    private record Ticket(
            int attempt, Partition at, String worker, long offset, long beats, int deaths, boolean moved) {
        /// Begins to count the beats of the worker that reads it.
        Ticket with(InboxWorker holder) {
            return new Ticket(attempt, at, holder.name(), offset, holder.beats(), deaths, moved);
        }

        Ticket after(int deathsBefore, boolean movedBefore) {
            return new Ticket(attempt, at, worker, offset, beats, deathsBefore, movedBefore);
        }

        boolean isSent() {
            return at.number != UNSENT;
        }

        boolean isTakenBy(InboxWorker holder) {
            return offset < holder.taken().getOrDefault(at.number, 0L);
        }
    }

    /// A worker and the tickets that it has not taken, as far as we know.
    private record Load(InboxWorker worker, int untaken) {
        int room() {
            return worker.freeSlots() - untaken;
        }

        int used() {
            return worker.slots() - room();
        }
    }

    /// What the owner of a response has to do about its ticket.
    public enum Fate {
        /// Nothing: it is another gateway's, or it may still be taken.
        STANDS,
        /// To be sent again: its worker died, or did not take it while another worker has a slot, or a first worker
        /// has come.
        LOST,
        /// A second worker died with it.
        CRASHED_WORKERS
    }

    /// True if a worker has a free slot that none of our tickets is for.
    synchronized boolean haveRoom(String model) {
        return loads(model).stream().anyMatch(load -> load.room() > 0);
    }

    /// Chooses where a job goes, and counts it from now on: the inbox of a worker with a free slot, else any inbox.
    /// A worker that lost the job before is the last choice. While no worker lives, the job gets no inbox.
    public synchronized PendingJob route(PendingJob job) {
        var before = standing.remove(job.response());
        var avoid = before == null ? job.routing().avoid() : before.worker;
        var all = loads(job.model());
        var others =
                all.stream().filter(load -> !load.worker.name().equals(avoid)).toList();
        var loads = others.isEmpty() ? all : others;
        var free = loads.stream().filter(load -> load.room() > 0).toList();
        var chosen = preferred(free.isEmpty() ? loads : free, job.routing());
        var ticket = chosen.map(
                        worker -> ticket(job, nextPartition(job.model(), worker), worker.name(), worker.beats()))
                .orElseGet(() -> ticket(job, UNSENT, Objects.requireNonNullElse(avoid, ""), 0));
        standing.put(
                job.response(),
                before != null && before.attempt == ticket.attempt
                        ? ticket.after(deaths(before), isMoved(before))
                        : ticket);
        return job.to(ticket.isSent() ? ticket.at.number : null);
    }

    /// The worker that the conversation ranks first, among those with little more than the mean load.
    private static Optional<InboxWorker> preferred(List<Load> loads, JobRouting routing) {
        double mean = loads.stream().mapToInt(Load::used).average().orElse(0);
        return loads.stream()
                .filter(load -> load.used() <= LOAD_LIMIT * mean + EXTRA_LOAD)
                .max(Comparator.comparingLong(load -> routing.weight(load.worker.name())))
                .map(Load::worker);
    }

    private static Ticket ticket(PendingJob job, int partition, String worker, long beats) {
        var at = new Partition(job.model(), partition);
        return new Ticket(job.ticket().attempt(), at, worker, Long.MAX_VALUE, beats, 0, false);
    }

    /// One that said that it leaves did not die of a job.
    private int deaths(Ticket ticket) {
        boolean died = ticket.isSent() && fleet.dead(ticket.worker) && fleet.silence(ticket.worker) < Long.MAX_VALUE;
        return died ? ticket.deaths + 1 : ticket.deaths;
    }

    /// True if it is or was sent again because its living worker did not take it.
    private boolean isMoved(Ticket ticket) {
        return ticket.moved || ticket.isSent() && !fleet.dead(ticket.worker);
    }

    /// The tickets of a worker go round its partitions.
    private int nextPartition(String model, InboxWorker worker) {
        int next = worker.taken().keySet().stream()
                .min(Comparator.<Integer>comparingLong(number -> turns.getOrDefault(new Partition(model, number), 0L))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
        turns.put(new Partition(model, next), ++turn);
        return next;
    }

    private List<Load> loads(String model) {
        var workers = fleet.inboxes(model);
        var untaken = new HashMap<String, Integer>();
        for (var ticket : standing.values()) {
            if (ticket.at.model.equals(model)) {
                holder(ticket, workers)
                        .filter(holder -> !ticket.isTakenBy(holder))
                        .ifPresent(holder -> untaken.merge(holder.name(), 1, Integer::sum));
            }
        }
        return workers.stream()
                .map(worker -> new Load(worker, untaken.getOrDefault(worker.name(), 0)))
                .toList();
    }

    /// The live worker that reads the partition now.
    private static Optional<InboxWorker> holder(Ticket ticket, List<InboxWorker> workers) {
        return workers.stream()
                .filter(worker -> worker.taken().containsKey(ticket.at.number))
                .findFirst();
    }

    /// The broker has the ticket of a job.
    public synchronized void appended(PendingJob job, long offset) {
        standing.computeIfPresent(job.response(), (_, ticket) -> {
            if (!Objects.equals(job.inbox(), ticket.at.number)) {
                return ticket;
            }
            var known = new Ticket(
                    ticket.attempt, ticket.at, ticket.worker, offset, ticket.beats, ticket.deaths, ticket.moved);
            return holder(ticket, fleet.inboxes(job.model())).map(known::with).orElse(known);
        });
    }

    /// A worker has the job, or nobody needs it any more.
    public synchronized void gone(ResponseId response) {
        standing.remove(response);
    }

    /// Checks the ticket of a response without a fence. No decision while half of the workers are late.
    public synchronized Fate fate(ResponseId response, int attempt) {
        var ticket = standing.get(response);
        if (ticket == null || ticket.attempt != attempt || fleet.manyLate()) {
            return Fate.STANDS;
        }
        var workers = fleet.inboxes(ticket.at.model);
        if (!ticket.isSent()) {
            return workers.isEmpty() ? Fate.STANDS : Fate.LOST;
        }
        var holder = holder(ticket, workers);
        if (holder.isEmpty()) {
            var ofDead = deaths(ticket) < DEATHS_MAX ? Fate.LOST : Fate.CRASHED_WORKERS;
            return fleet.dead(ticket.worker) ? ofDead : Fate.STANDS;
        }
        return isLeft(response, ticket, holder.get()) ? Fate.LOST : Fate.STANDS;
    }

    /// True if two later beats of its worker show that it is not taken, while another worker has a free slot.
    private boolean isLeft(ResponseId response, Ticket ticket, InboxWorker holder) {
        if (ticket.moved || ticket.offset == Long.MAX_VALUE || ticket.isTakenBy(holder)) {
            return false;
        }
        if (!holder.name().equals(ticket.worker)) {
            standing.put(response, ticket.with(holder));
            return false;
        }
        return holder.beats() >= ticket.beats + BEATS_TO_TAKE
                && loads(ticket.at.model).stream()
                        .anyMatch(load -> load.room() > 0 && !load.worker.name().equals(holder.name()));
    }
}
