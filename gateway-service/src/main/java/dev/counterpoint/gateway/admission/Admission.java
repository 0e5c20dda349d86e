package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.gateway.admission.AdmittedResponse.Stage;
import dev.counterpoint.gateway.config.AdmissionConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.servicekit.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/// Admits requests while there is room, and sends their jobs to workers with free slots. Other jobs wait here, fairly
/// among tenants. They survive this gateway, because the next owner finds them in the log.
///
/// Moves on events only: a response is entered, fenced or ends, or a beat comes. Thread-safe; waits for nobody.
public final class Admission {
    /// With fewer slots, a free one would cost too much.
    private static final int KEEPS_FROM_SLOTS = 4;

    private final AdmissionConfig config;
    private final FleetMembership fleet;
    private final Inboxes inboxes;
    private final JobDispatch dispatch;
    private final Executor sender;
    private final AdmissionMetrics metrics;
    private final Map<Band, Integer> shares;
    private final BooleanSupplier severalTenants;
    private final Map<ResponseId, AdmittedResponse> places = new HashMap<>();
    private final Map<String, FairQueue> queues = new HashMap<>();
    private final Map<String, Integer> queuedOf = new HashMap<>();
    private final Map<Band, Integer> waitingIn = new EnumMap<>(Band.class);
    /// By model, the jobs that are in an inbox or with a worker.
    private final Map<String, TenantCounter> withWorkersOf = new HashMap<>();
    private final TenantCounter openOf = new TenantCounter();
    private final TenantCounter waitingOf = new TenantCounter();

    /// @param sender runs what may wait a moment for the bus, in order
    /// @param severalTenants whether there is more than one tenant
    public record Setup(
            AdmissionConfig config,
            Inboxes inboxes,
            JobDispatch dispatch,
            Executor sender,
            BooleanSupplier severalTenants) {}

    Admission(Setup setup, AdmissionMetrics metrics) {
        config = setup.config;
        fleet = setup.inboxes.fleet();
        inboxes = setup.inboxes;
        dispatch = setup.dispatch;
        sender = setup.sender;
        severalTenants = setup.severalTenants;
        this.metrics = metrics;
        shares = Map.of(Band.HIGH, config.highShare(), Band.NORMAL, config.normalShare(), Band.LOW, config.lowShare());
        metrics.watch(this);
    }

    /// Takes a place for a response that is about to be accepted; [#enter] or [#giveBack] follows.
    ///
    /// @throws dev.counterpoint.servicekit.ProblemException 503 or 429 with `Retry-After` when there is none
    public synchronized void reserve(ResponseId response, String tenant) {
        refuseAt(config.openMax(), openOf.all(), AdmissionRefusal.OPEN);
        refuseAt(config.waitingMax(), waitingOf.all(), AdmissionRefusal.WAITING);
        refuseAt(config.openPerTenantMax(), openOf.of(tenant), AdmissionRefusal.TENANT_OPEN);
        refuseAt(config.waitingPerTenantMax(), waitingOf.of(tenant), AdmissionRefusal.TENANT_WAITING);
        open(response, new AdmittedResponse(tenant, new Stage.Reserved(), false));
        waitingOf.add(tenant);
    }

    /// The refusal of a request whose key is blocked because its jobs crashed workers.
    ///
    /// @param wait time until the key may send requests again
    public ProblemException refusalOfKey(Duration wait) {
        metrics.refused(AdmissionRefusal.KEY_CRASHED_WORKERS);
        return AdmissionRefusal.KEY_CRASHED_WORKERS.problem(wait);
    }

    private void refuseAt(int limit, int count, AdmissionRefusal why) {
        if (count >= limit) {
            metrics.refused(why);
            throw why.problem(limit);
        }
    }

    private AdmittedResponse open(ResponseId response, AdmittedResponse place) {
        places.put(response, place);
        openOf.add(place.tenant);
        return place;
    }

    /// Gives back a reserved place. No effect on one that was entered.
    public synchronized void giveBack(ResponseId response) {
        var place = places.get(response);
        if (place != null && place.stage instanceof Stage.Reserved) {
            close(response, place);
        }
    }

    /// The log has the response, so its job goes to the workers in its turn. A response that another gateway accepted
    /// gets a place regardless of the limits.
    public void enter(PendingJob job) {
        queue(job);
        release();
    }

    /// The same on a thread that may wait a moment for the bus: with a free slot, the ticket leaves at once. That
    /// may be before the log has frame 0, if the ticket carries it; the job is entered again when the log has it.
    public void enterNow(PendingJob job) {
        queue(job);
        send(next());
    }

    private synchronized void queue(PendingJob job) {
        var place = places.get(job.response());
        if (place == null) {
            place = open(job.response(), new AdmittedResponse(job.tenant(), new Stage.Reserved(), true));
            waitingOf.add(job.tenant());
        }
        if (place.stage instanceof Stage.Reserved) {
            place.stage = new Stage.Waiting(job);
            waitingIn.merge(job.band(), 1, Integer::sum);
            queueOf(job).add(job);
        }
    }

    /// The owner's next step for the ticket of a response without a fence.
    public Inboxes.Fate fate(ResponseId response, int attempt) {
        return inboxes.fate(response, attempt);
    }

    /// True when this response waits here and is therefore in no inbox.
    public synchronized boolean keeps(ResponseId response) {
        var place = places.get(response);
        return place != null
                && switch (place.stage) {
                    case Stage.Reserved _, Stage.Waiting _ -> true;
                    case Stage.Queued _, Stage.Running _, Stage.Ended _ -> false;
                };
    }

    /// True when this gateway has let the response in, or has taken it over.
    public synchronized boolean knows(ResponseId response) {
        return places.containsKey(response);
    }

    /// A worker holds the response.
    public void fenced(ResponseId response, String tenant, String worker) {
        inboxes.gone(response);
        synchronized (this) {
            var place = places.get(response);
            if (place == null) {
                place = open(response, new AdmittedResponse(tenant, new Stage.Reserved(), true));
                waitingOf.add(tenant);
            }
            boolean known = place.stage instanceof Stage.Running running && worker.equals(running.worker());
            if (known || place.stage instanceof Stage.Ended) {
                return;
            }
            leave(place);
            var model = fleet.modelOf(worker).orElse("");
            place.stage = new Stage.Running(worker, model);
            withWorkers(model).add(tenant);
            fleet.took(worker);
        }
        release();
    }

    /// The response has an end, or its owner appends one.
    public void ended(ResponseId response) {
        inboxes.gone(response);
        synchronized (this) {
            var place = places.get(response);
            if (place == null || place.stage instanceof Stage.Reserved) {
                return;
            }
            leave(place);
            place.stage = new Stage.Ended();
            if (place.unread) {
                close(response, place);
            }
        }
        release();
    }

    /// The reader of the response has the last of it.
    public synchronized void readerLeft(ResponseId response) {
        var place = places.get(response);
        if (place != null) {
            place.unread = true;
            if (place.stage instanceof Stage.Ended) {
                close(response, place);
            }
        }
    }

    /// This gateway follows the response no more.
    public void forget(ResponseId response) {
        inboxes.gone(response);
        synchronized (this) {
            var place = places.get(response);
            if (place != null) {
                close(response, place);
            }
        }
        release();
    }

    private void close(ResponseId response, AdmittedResponse place) {
        leave(place);
        places.remove(response);
        openOf.remove(place.tenant);
    }

    /// Takes it out of where it is.
    private void leave(AdmittedResponse place) {
        switch (place.stage) {
            case Stage.Reserved _ -> waitingOf.remove(place.tenant);
            case Stage.Waiting(PendingJob job) -> {
                queueOf(job).remove(job);
                stopsWaiting(job);
            }
            case Stage.Queued(PendingJob job) -> {
                queuedOf.merge(job.model(), -1, Integer::sum);
                withWorkers(job.model()).remove(place.tenant);
            }
            case Stage.Running(String worker, String model) -> {
                withWorkers(model).remove(place.tenant);
                fleet.freed(worker);
            }
            case Stage.Ended _ -> {}
        }
    }

    private void stopsWaiting(PendingJob job) {
        waitingOf.remove(job.tenant());
        waitingIn.merge(job.band(), -1, Integer::sum);
    }

    /// Sends as many jobs as the workers have room for. Call it after each beat.
    public void release() {
        var released = next();
        if (!released.isEmpty()) {
            sender.execute(() -> send(released));
        }
    }

    private void send(List<PendingJob> released) {
        released.forEach(job -> dispatch.send(job, () -> lost(job)));
    }

    private synchronized List<PendingJob> next() {
        var released = new ArrayList<PendingJob>();
        queues.forEach((model, queue) -> {
            if (queue.isEmpty()) {
                return;
            }
            var busy = withWorkers(model);
            for (var room = room(model); room.forAny > 0 && inboxes.haveRoom(model); room = room.less()) {
                boolean forBusy = room.forBusy > 0;
                var next = queue.poll(tenant -> forBusy || busy.of(tenant) == 0);
                if (next == null) {
                    return;
                }
                var job = inboxes.route(next);
                if (job.inbox() == null) {
                    // The worker left just now.
                    queue.putBack(next);
                    return;
                }
                place(job).stage = new Stage.Queued(job);
                stopsWaiting(job);
                queuedOf.merge(model, 1, Integer::sum);
                busy.add(job.tenant());
                metrics.admitted(job.band());
                released.add(job);
            }
        });
        return released;
    }

    /// The number of jobs that may go to workers now.
    ///
    /// @param forBusy of tenants that have a job in an inbox or with a worker already
    private record Room(int forAny, int forBusy) {
        Room less() {
            return new Room(forAny - 1, forBusy - 1);
        }
    }

    /// Our part of the free slots, less our tickets that no worker has taken. Some slots are kept free of tenants that
    /// already have one, so that other tenants need not wait.
    private Room room(String model) {
        var served = fleet.model(model).orElse(null);
        if (served == null) {
            return new Room(0, 0);
        }
        int queued = queuedOf.getOrDefault(model, 0);
        int unkept = Math.max(0, served.freeSlots() - keptSlots(served.slots()));
        return new Room(part(served.freeSlots()) - queued, part(unkept) - queued);
    }

    /// An equal part, rounded up, because other gateways may not use the last free slot. An excess ticket waits at
    /// its worker.
    private int part(int ofAll) {
        return Math.ceilDiv(ofAll, fleet.gateways());
    }

    private int keptSlots(int slots) {
        boolean keeps = slots >= KEEPS_FROM_SLOTS && severalTenants.getAsBoolean();
        return keeps ? Math.ceilDiv(slots, config.slotsPerKeptSlot()) : 0;
    }

    private TenantCounter withWorkers(String model) {
        return withWorkersOf.computeIfAbsent(model, _ -> new TenantCounter());
    }

    /// Puts a lost job back into its queue; the next event sends it again. While the bus is away that is the next
    /// heartbeat, so the job is not sent in a busy loop.
    private synchronized void lost(PendingJob sent) {
        inboxes.gone(sent.response());
        var place = places.get(sent.response());
        if (place != null && place.stage instanceof Stage.Queued) {
            leave(place);
            var job = sent.again();
            place.stage = new Stage.Waiting(job);
            waitingOf.add(job.tenant());
            waitingIn.merge(job.band(), 1, Integer::sum);
            queueOf(job).putBack(job);
        }
    }

    private AdmittedResponse place(PendingJob job) {
        var place = places.get(job.response());
        if (place == null) {
            throw new IllegalStateException("a job waits without a place");
        }
        return place;
    }

    private FairQueue queueOf(PendingJob job) {
        metrics.watch(this, job.model());
        return queues.computeIfAbsent(job.model(), _ -> new FairQueue(shares));
    }

    /// Responses that wait here for their turn.
    synchronized int waiting(Band band) {
        return waitingIn.getOrDefault(band, 0);
    }

    /// Responses under way, waiting ones included.
    synchronized int open() {
        return openOf.all();
    }

    /// Jobs of a model that no worker has taken.
    synchronized JobBacklog backlog(String model) {
        return JobBacklog.of(places.values(), job -> job.model().equals(model));
    }

    /// This gateway's jobs of a band that no worker has taken.
    public synchronized JobBacklog backlog(Band band) {
        return JobBacklog.of(places.values(), job -> job.band() == band);
    }

    /// This gateway's jobs in inboxes that no worker has taken.
    synchronized int queued() {
        return queuedOf.values().stream().mapToInt(Integer::intValue).sum();
    }
}
