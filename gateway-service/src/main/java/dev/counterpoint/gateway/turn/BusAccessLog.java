package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.seal.SignedRecord;
import io.smallrye.reactive.messaging.kafka.Record;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;

/// The access log on the bus, signed; an entry is on record when the broker has it.
@ApplicationScoped
class BusAccessLog implements AccessLog {
    private final Emitter<Record<String, byte[]>> entries;
    private final Signatures signatures;

    BusAccessLog(@Channel(Topic.ACCESS_LOG) Emitter<Record<String, byte[]>> entries, KeyRing keys) {
        this.entries = entries;
        signatures = keys.signatures();
    }

    @Override
    public CompletionStage<Void> record(AccessEntry entry) {
        try {
            var signed = signatures.sign(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, entry.encode());
            return entries.send(Record.of(entry.response(), signed));
        } catch (IllegalStateException e) {
            // The channel's buffer is full: the bus takes nothing.
            return CompletableFuture.failedFuture(e);
        }
    }
}
