package dev.counterpoint.engine.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The servers of an engine: which one gets a request, and which are left out. Thread-safe.
///
/// Requests that begin alike go where their beginning lies computed, as far as the load allows: [PrefixRouter].
final class LoadBalancer implements AutoCloseable {
    private static final long TICK_MILLIS = 100;
    private static final Logger LOG = LoggerFactory.getLogger(LoadBalancer.class);
    private static final int OK = 200;

    private final List<UpstreamServer> all;
    private final PrefixRouter router;
    private final HttpClient client;
    private final Function<URI, HttpRequest> healthRequest;
    private final Examination examination;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("remote-health").daemon().factory());

    /// Looks at servers for the engine; bounded in time.
    interface Examination {
        /// @return why a server cannot serve; null when it can
        @Nullable
        String objection(UpstreamServer server) throws InterruptedException;

        void look(UpstreamServer server) throws InterruptedException;

        /// @return why a server cannot serve that answers a question after its health with this status; null where the
        ///     status says only how it is
        default @Nullable String refusal(int status) {
            return null;
        }
    }

    /// @param healthRequest asks a server how it is; bounded in time
    LoadBalancer(
            List<UpstreamServer> all,
            HttpClient client,
            Function<URI, HttpRequest> healthRequest,
            Examination examination) {
        this.examination = examination;
        this.all = List.copyOf(all);
        var names =
                all.stream().mapToLong(replica -> replica.address().hashCode()).toArray();
        router = new PrefixRouter(PrefixRouter.NODES_MAX, names);
        this.client = client;
        this.healthRequest = healthRequest;
        timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        for (var replica : all) {
            if (replica.due(System.nanoTime())) {
                client.sendAsync(healthRequest.apply(replica.address()), BodyHandlers.discarding())
                        .handle((response, error) -> {
                            var refusal = response == null ? null : examination.refusal(response.statusCode());
                            var pulse = pulse(response, error);
                            return Thread.startVirtualThread(() -> heed(replica, pulse, refusal));
                        });
            }
        }
    }

    private static UpstreamServer.Pulse pulse(@Nullable HttpResponse<Void> response, @Nullable Throwable error) {
        if (response == null) {
            var cause = error instanceof CompletionException ? error.getCause() : error;
            boolean late = cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException);
            return late ? UpstreamServer.Pulse.NONE : UpstreamServer.Pulse.GONE;
        }
        return response.statusCode() == OK ? UpstreamServer.Pulse.WELL : UpstreamServer.Pulse.ILL;
    }

    private void heed(UpstreamServer replica, UpstreamServer.Pulse pulse, @Nullable String refusal) {
        try {
            if (refusal != null) {
                examined(replica, refusal);
            } else if (pulse == UpstreamServer.Pulse.WELL && replica.unexamined()) {
                examine(replica);
            } else if (replica.answered(pulse, System.nanoTime()) && !timer.isShutdown()) {
                forget(replica);
                LOG.warn("server is left out address={} cause=\"its health: {}\"", replica.address(), pulse);
            }
            if (pulse == UpstreamServer.Pulse.WELL && replica.usable()) {
                examination.look(replica);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void examine(UpstreamServer replica) throws InterruptedException {
        String objection;
        try {
            objection = examination.objection(replica);
        } catch (RuntimeException e) {
            objection = "it could not be examined: " + e.getClass().getSimpleName();
        }
        examined(replica, objection);
    }

    private void examined(UpstreamServer replica, @Nullable String objection) {
        if (replica.examined(objection, System.nanoTime()) && !timer.isShutdown()) {
            if (objection == null) {
                LOG.warn("server is back address={}", replica.address());
            } else {
                forget(replica);
                LOG.warn("server is left out address={} cause=\"{}\"", replica.address(), objection);
            }
        }
    }

    /// What is said against servers, by their addresses.
    Map<URI, String> objections() {
        var against = new LinkedHashMap<URI, String>();
        for (var replica : all) {
            var objection = replica.objection();
            if (objection != null) {
                against.put(replica.address(), objection);
            }
        }
        return against;
    }

    /// Servers that are left out without an objection: they do not answer, or not well.
    List<URI> silent() {
        return all.stream()
                .filter(replica -> !replica.usable() && replica.objection() == null)
                .map(UpstreamServer::address)
                .toList();
    }

    /// Servers that may be used.
    List<UpstreamServer> usable() {
        return all.stream().filter(UpstreamServer::usable).toList();
    }

    /// Takes a server for one request, until [UpstreamServer#end].
    ///
    /// @param not none of these
    /// @return null when there is none
    synchronized @Nullable UpstreamServer take(PromptPrefix prompt, Set<UpstreamServer> not) {
        int[] loads = all.stream()
                .mapToInt(replica -> replica.usable() && !not.contains(replica) ? replica.load() : -1)
                .toArray();
        int chosen = router.choose(prompt, loads);
        if (chosen < 0) {
            return null;
        }
        var replica = all.get(chosen);
        replica.begin();
        return replica;
    }

    /// A server that is left out may come back with nothing of what it had.
    private synchronized void forget(UpstreamServer replica) {
        router.forget(all.indexOf(replica));
    }

    void failed(UpstreamServer replica, ServerFailure failure) {
        if (replica.failed(failure.kind(), System.nanoTime())) {
            forget(replica);
            LOG.warn("server is left out address={} cause={}", replica.address(), failure.getMessage());
        }
    }

    List<URI> ready() {
        return all.stream()
                .filter(UpstreamServer::ready)
                .map(UpstreamServer::address)
                .toList();
    }

    int size() {
        return all.size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
