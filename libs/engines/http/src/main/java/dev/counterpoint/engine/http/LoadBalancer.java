package dev.counterpoint.engine.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The servers of an engine: which one gets a request, and which are left out. Thread-safe.
///
/// Requests that begin alike go to the same server, where their beginning lies computed, as long as that one
/// has at most [#EXTRA_LOAD_MAX] requests more than the least loaded.
final class LoadBalancer implements AutoCloseable {
    static final int EXTRA_LOAD_MAX = 4;
    private static final long TICK_MILLIS = 100;
    private static final Logger LOG = LoggerFactory.getLogger(LoadBalancer.class);
    private static final int OK = 200;

    private final List<UpstreamServer> all;
    private final HttpClient client;
    private final Function<URI, HttpRequest> healthRequest;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("remote-health").daemon().factory());

    /// @param healthRequest asks a server how it is; bounded in time
    LoadBalancer(List<UpstreamServer> all, HttpClient client, Function<URI, HttpRequest> healthRequest) {
        this.all = List.copyOf(all);
        this.client = client;
        this.healthRequest = healthRequest;
        timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        for (var replica : all) {
            if (replica.due(System.nanoTime())) {
                client.sendAsync(healthRequest.apply(replica.address()), BodyHandlers.discarding())
                        .whenComplete(
                                (response, error) -> answered(replica, error == null && response.statusCode() == OK));
            }
        }
    }

    private void answered(UpstreamServer replica, boolean well) {
        if (replica.answered(well, System.nanoTime()) && !timer.isShutdown()) {
            LOG.warn("server {} address={}", well ? "is back" : "is left out: not well", replica.address());
        }
    }

    /// Takes a server for one request, until [UpstreamServer#end].
    ///
    /// @param affinity the same for requests that begin alike
    /// @param not none of these
    /// @return null when there is none
    synchronized @Nullable UpstreamServer take(long affinity, Set<UpstreamServer> not) {
        var usable = all.stream()
                .filter(replica -> replica.usable() && !not.contains(replica))
                .toList();
        int least = usable.stream().mapToInt(UpstreamServer::load).min().orElse(0);
        var chosen = usable.stream()
                .filter(replica -> replica.load() <= least + EXTRA_LOAD_MAX)
                .max(Comparator.comparingLong(replica -> weight(affinity, replica)))
                .orElse(null);
        if (chosen != null) {
            chosen.begin();
        }
        return chosen;
    }

    /// Rendezvous hashing: when a server goes or comes, no request moves between the others.
    private static long weight(long affinity, UpstreamServer replica) {
        long mixed = (affinity ^ replica.address().hashCode()) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 31)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 29);
    }

    void failed(UpstreamServer replica, ServerFailure failure) {
        if (replica.failed(failure.kind(), System.nanoTime())) {
            LOG.warn("server is left out address={} cause={}", replica.address(), failure.getMessage());
        }
    }

    int ready() {
        return (int) all.stream().filter(UpstreamServer::ready).count();
    }

    int size() {
        return all.size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
