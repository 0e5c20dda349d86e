package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Workers on a real bus: they beat until a test kills them, and say what it tells them to.
final class BusWorker implements AutoCloseable {
    private static final long BEAT_MILLIS = 200;
    private static final int SLOTS = 100;

    private final KafkaProducer<String, byte[]> producer;
    private final KeyRing keys;
    private final KeyRing own;
    private final Map<String, List<Heartbeat.InboxPartition>> inboxes = new ConcurrentHashMap<>();
    private final Map<String, BeatSigner> signers = new ConcurrentHashMap<>();
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /// @param keys of a gateway, to sign its decisions with
    /// @param own of the workers
    BusWorker(KafkaClients clients, KeyRing keys, KeyRing own) {
        this.keys = keys;
        this.own = own;
        producer = clients.promptProducer();
        timer.scheduleWithFixedDelay(() -> alive.forEach(this::beat), 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    void lives(String name) {
        alive.add(name);
    }

    /// Has an inbox of one partition from now on, and takes no ticket.
    void reads(String name, int partition) {
        inboxes.put(name, List.of(new Heartbeat.InboxPartition(partition, 0)));
        lives(name);
    }

    void dies(String name) {
        alive.remove(name);
    }

    private void beat(String name) {
        var model = new Heartbeat.Model(WorkerVoice.MODEL, "said by a test", 4_096, SLOTS, SLOTS, List.of());
        var inbox = inboxes.getOrDefault(name, List.of());
        var beat = new Heartbeat(name, model, System.currentTimeMillis(), null, 0, inbox, BEAT_MILLIS, 1);
        var signer = signers.computeIfAbsent(name, _ -> new BeatSigner(name, own));
        producer.send(new ProducerRecord<>(Topic.MODELS, 0, name, signer.prove(beat)));
    }

    /// Appends frames and waits until the log has them.
    ///
    /// @return offset of the last one
    long says(Frame... frames) throws InterruptedException, ExecutionException, TimeoutException {
        long offset = -1;
        for (var frame : frames) {
            offset = producer.send(proven(frame).record())
                    .get(10, TimeUnit.SECONDS)
                    .offset();
        }
        return offset;
    }

    /// Workers sign and tag their own.
    private Frame proven(Frame frame) {
        return frame.nonce() == 0 ? keys.signatures().sign(frame) : frame;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        producer.close(Duration.ofSeconds(2));
    }
}
