package dev.counterpoint.gateway.api.webhooks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.bus.seal.SealException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings events to their endpoints, at least once. One gateway of all brings one event at a time to an endpoint, so an
/// endpoint that does not answer delays only itself. Thread-safe.
@ApplicationScoped
class WebhookDeliveries {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookDeliveries.class);
    private static final int ENDPOINTS_AT_ONCE = 128;
    private static final Duration LEASE_USED_MAX = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration PAUSE_MAX = Duration.ofHours(1);
    private static final int DOUBLINGS_MAX = 16;
    private static final Duration RETRIED_FOR = Duration.ofDays(3);

    private final StoredWebhooks stored;
    private final WebhookSecrets secrets;
    private final WebhookSender sender;
    private final MeterRegistry metrics;
    private final Semaphore free = new Semaphore(ENDPOINTS_AT_ONCE);

    WebhookDeliveries(StoredWebhooks stored, WebhookSecrets secrets, WebhookSender sender, MeterRegistry metrics) {
        this.stored = stored;
        this.secrets = secrets;
        this.sender = sender;
        this.metrics = metrics;
    }

    @Scheduled(
            every = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void deliverDue() {
        try {
            for (var endpoint : stored.lease(free.availablePermits())) {
                free.acquireUninterruptibly();
                Thread.ofVirtual().name(endpoint.id()).start(() -> serve(endpoint));
            }
        } catch (RuntimeException e) {
            LOG.debug("webhooks delivered=later error={}", e.getClass().getName());
        }
    }

    private void serve(StoredWebhooks.Endpoint endpoint) {
        var end = Instant.now().plus(LEASE_USED_MAX);
        try {
            var next = stored.next(endpoint);
            while (next.isPresent()
                    && deliver(endpoint, next.get())
                    && Instant.now().isBefore(end)) {
                next = stored.next(endpoint);
            }
            stored.release(endpoint);
        } catch (RuntimeException | InterruptedException e) { // another try follows when the lease is over
            LOG.debug(
                    "endpointId={} delivered=later error={}",
                    endpoint.id(),
                    e.getClass().getName());
        } finally {
            free.release();
        }
    }

    /// @return false when the endpoint does not take it now
    private boolean deliver(StoredWebhooks.Endpoint endpoint, StoredWebhooks.Delivery delivery)
            throws InterruptedException {
        var result = send(endpoint, delivery);
        count(result.outcome());
        var pause = pause(delivery.attempts(), ThreadLocalRandom.current().nextDouble());
        if (result.delivered()) {
            stored.remove(endpoint, delivery);
        } else if (Instant.now().plus(pause).isBefore(delivery.createdAt().plus(RETRIED_FOR))) {
            stored.postpone(endpoint, delivery, pause);
        } else {
            stored.remove(endpoint, delivery);
            count("given_up");
            LOG.warn("responseId={} endpointId={} webhook=given-up", delivery.response(), endpoint.id());
        }
        return result.delivered();
    }

    private void count(String outcome) {
        metrics.counter("counterpoint.gateway.webhooks", "outcome", outcome).increment();
    }

    /// Doubles up to an hour, less a random part of one half, so that a receiver that comes back does not get all
    /// events at once.
    ///
    /// @param failures before the one at hand
    /// @param random from 0 to 1
    static Duration pause(int failures, double random) {
        long whole = FIRST_PAUSE.toMillis() << Math.min(failures, DOUBLINGS_MAX);
        return Duration.ofMillis((long) (Math.min(whole, PAUSE_MAX.toMillis()) * (1 - random / 2)));
    }

    /// Sends a sample event once.
    WebhookSender.Attempt test(StoredWebhooks.Endpoint endpoint, String type) throws InterruptedException {
        return send(endpoint, new StoredWebhooks.Delivery(0, "evt_test", type, "resp_test", Instant.now(), 0));
    }

    private WebhookSender.Attempt send(StoredWebhooks.Endpoint endpoint, StoredWebhooks.Delivery delivery)
            throws InterruptedException {
        var payload = JsonNodeFactory.instance.objectNode();
        payload.put("id", delivery.event()).put("object", "event").put("type", delivery.type());
        payload.put("created_at", delivery.createdAt().getEpochSecond());
        payload.putObject("data").put("id", delivery.response());
        var body = payload.toString();
        try {
            return sender.post(endpoint.url(), secrets.headers(endpoint, delivery.event(), body), body);
        } catch (SealException e) {
            return new WebhookSender.Attempt("secret_unreadable", 0);
        }
    }
}
