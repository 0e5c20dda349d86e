package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.kafka.Topic;
import io.smallrye.reactive.messaging.kafka.Record;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;

/// The access log on the bus; an entry is on record when the broker has it.
@ApplicationScoped
class BusAccessLog implements AccessLog {
    private final Emitter<Record<String, byte[]>> entries;

    @Inject
    BusAccessLog(@Channel(Topic.ACCESS_LOG) Emitter<Record<String, byte[]>> entries) {
        this.entries = entries;
    }

    @Override
    public CompletionStage<Void> record(AccessEntry entry) {
        try {
            return entries.send(Record.of(entry.response(), entry.encode()));
        } catch (IllegalStateException e) {
            // The channel's buffer is full: the bus takes nothing.
            return CompletableFuture.failedFuture(e);
        }
    }
}
