package dev.counterpoint.servicekit;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Sends heartbeats with proofs of this process on the bus whenever its user calls it. Thread-safe.
public final class HeartbeatPublisher {
    private final Producer<String, byte[]> producer;
    private final String sender;
    private final BeatSigner signer;
    private final AtomicBoolean underway = new AtomicBoolean();
    private volatile long takenAtNanos = System.nanoTime() - Duration.ofHours(1).toNanos();
    private volatile boolean heard;
    private volatile @Nullable Heartbeat last;

    /// @param producer is closed by [#close], or else by whoever made it
    /// @param signer of this incarnation of the process: there is one, however many publishers follow one another
    public HeartbeatPublisher(Producer<String, byte[]> producer, BeatSigner signer) {
        this.producer = producer;
        this.signer = signer;
        sender = signer.sender();
    }

    /// One at a time: heartbeats that gathered while the bus was away would all come at once, and everybody else
    /// would look as silent as they are many.
    ///
    /// @throws RuntimeException when it cannot be sent; the next one may be
    public void publish(Heartbeat beat) {
        if (!underway.compareAndSet(false, true)) {
            return;
        }
        last = beat;
        try {
            producer.send(new ProducerRecord<>(Topic.MODELS, 0, sender, signer.prove(beat)), (_, failure) -> {
                underway.set(false);
                if (failure == null) {
                    takenAtNanos = System.nanoTime();
                    heard = true;
                }
            });
        } catch (RuntimeException e) {
            underway.set(false);
            throw e;
        }
    }

    /// True if the bus took a heartbeat since this process started.
    public boolean wasHeard() {
        return heard;
    }

    /// True if the bus took a heartbeat lately.
    public boolean busAnswers(Duration within) {
        return System.nanoTime() - takenAtNanos < within.toNanos();
    }

    /// Says that this process leaves, so that nobody waits for the lapse of what is its. Then the bus may forget
    /// its beats, which by itself tells nobody anything: anybody can write a record without a value.
    @SuppressWarnings("NullAway") // a record without a value removes what its key said
    public void leave() {
        var beat = last;
        if (beat != null) {
            var farewell =
                    new Heartbeat(sender, beat.model(), System.currentTimeMillis(), beat.role(), beat.lagMillis());
            producer.send(new ProducerRecord<>(Topic.MODELS, 0, sender, signer.proveFarewell(farewell)));
        }
        producer.send(new ProducerRecord<>(Topic.MODELS, 0, sender, null));
    }

    /// @param atMost for what is on its way
    public void close(Duration atMost) {
        producer.close(atMost);
    }
}
