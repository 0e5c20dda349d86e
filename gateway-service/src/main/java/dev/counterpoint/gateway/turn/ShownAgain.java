package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.gateway.GatewayConfig;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.stream.Generations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Puts on record that a caller reads raw reasoning that was shown before. Thread-safe.
@ApplicationScoped
public class ShownAgain {
    private final AccessLog accessLog;
    private final GatewayConfig config;

    @Inject
    ShownAgain(AccessLog accessLog, GatewayConfig config) {
        this.accessLog = accessLog;
        this.config = config;
    }

    /// Returns when it is on record; every reading is an entry of its own.
    ///
    /// @throws Generations.UnavailableException when it is not known to be
    public void record(ResponseId response, Caller caller) throws InterruptedException {
        var entry = new AccessEntry(
                "raw_" + response + "_" + UUID.randomUUID(),
                System.currentTimeMillis(),
                caller.key(),
                caller.tenant(),
                response.toString(),
                AccessEntry.Action.RAW_REASONING_SHOWN);
        try {
            accessLog
                    .record(entry)
                    .toCompletableFuture()
                    .get(config.accessLogTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new Generations.UnavailableException("the access log does not answer");
        }
    }
}
