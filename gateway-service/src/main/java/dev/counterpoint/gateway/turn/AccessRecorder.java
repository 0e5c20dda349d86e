package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Puts on record that a caller reads raw reasoning, before the first of it leaves, and what tenants consent to.
/// Thread-safe.
@ApplicationScoped
public class AccessRecorder {
    private final AccessLog accessLog;
    private final GatewayConfig config;

    AccessRecorder(AccessLog accessLog, GatewayConfig config) {
        this.accessLog = accessLog;
        this.config = config;
    }

    /// An entry on its way.
    ///
    /// @param atMost how long to wait for it
    public record Recording(CompletableFuture<Void> entry, Duration atMost) {
        /// Nothing raw is shown.
        static final Recording NONE = new Recording(CompletableFuture.completedFuture(null), Duration.ZERO);

        /// Returns when it is on record.
        ///
        /// @throws BackendUnavailableException when it is not known to be
        public void await() throws InterruptedException {
            try {
                entry.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new BackendUnavailableException("the access log does not answer");
            }
        }
    }

    /// Records that raw reasoning is shown to the one who asked for the response. However often this is called, there
    /// is one entry.
    ///
    /// @param key id of the API key
    Recording first(ResponseId response, String key, String tenant) {
        return recording("raw_" + response, response, key, tenant);
    }

    /// Puts on record that raw reasoning is read again; every reading is an entry of its own. Returns before its first
    /// byte.
    ///
    /// @param key id of the API key that reads it
    /// @throws BackendUnavailableException when it is not known to be on record
    public void awaitReplay(Replays.Replay replay, String key) throws InterruptedException {
        var entry = "raw_" + replay.id() + "_" + UUID.randomUUID();
        recording(entry, replay.id(), key, replay.accepted().tenant()).await();
    }

    /// Puts on record that a tenant's consent to the audit begins or ends, before that is committed: a record names no
    /// consent that the log does not have. A consent whose commit fails is on record all the same.
    ///
    /// @param by who agreed, or ended it
    /// @throws BackendUnavailableException when it is not known to be on record
    public void awaitConsent(AccessEntry.Action action, String consent, String tenant, String by) {
        await(new AccessEntry(action.entryOf(consent), System.currentTimeMillis(), by, tenant, "", action));
    }

    /// Puts on record what was deleted of a person. However often this is called, there is one entry.
    ///
    /// @param erasure its id
    /// @throws BackendUnavailableException when it is not known to be on record
    public void awaitErased(String erasure, String tenant, ErasedRows rows) {
        var action = AccessEntry.Action.ROWS_ERASED;
        var now = System.currentTimeMillis();
        await(new AccessEntry(action.entryOf(erasure), now, "gateway", tenant, "", action, new byte[0], rows));
    }

    private void await(AccessEntry entry) {
        try {
            recording(entry).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("the gateway is shutting down");
        }
    }

    private Recording recording(String id, ResponseId response, String key, String tenant) {
        return recording(new AccessEntry(
                id,
                System.currentTimeMillis(),
                key,
                tenant,
                response.toString(),
                AccessEntry.Action.RAW_REASONING_SHOWN));
    }

    private Recording recording(AccessEntry entry) {
        return new Recording(accessLog.record(entry).toCompletableFuture(), config.accessLogTimeout());
    }
}
