package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Gateways and workers of one process that hear of one another by a list in the place of the topic of beats. Each
/// gateway reads each beat with the classes that do so in production; time passes as [#pass] says. For one thread.
final class SimulatedFleet {
    static final int DEAD_AFTER = 4;
    static final int SLOTS = 32;
    private static final Duration BEAT = Duration.ofMillis(500);
    private static final String MODEL = "gpt-oss-120b";

    final List<Gateway> gateways;
    final List<Sender> workers;
    private final Random random;
    private final List<byte[]> held = new ArrayList<>();

    /// One process that sends beats.
    static final class Sender {
        final String name;
        private final BeatSigner signer;
        private final boolean serves;
        private boolean killed;

        Sender(String name, ServiceRole role) {
            this.name = name;
            signer = new BeatSigner(name, TestKeys.of(role));
            serves = role == ServiceRole.WORKER;
        }

        /// All its slots are taken, so that gateways with jobs look for room at every beat.
        private byte[] beat() {
            long now = System.currentTimeMillis();
            if (!serves) {
                return signer.prove(new Heartbeat(name, null, now));
            }
            var model = new Heartbeat.Model(MODEL, "", 131_072, SLOTS, 0, List.of("logprobs"));
            var inbox = List.of(new Heartbeat.InboxPartition(name.hashCode() & 0xFFFF, 0));
            return signer.prove(new Heartbeat(name, model, now, null, 0, inbox, 0, 1));
        }
    }

    /// @param micros of CPU time
    record Cost(double micros, double bytes) {}

    /// What a gateway knows of the others.
    static final class Gateway {
        final FleetMembership fleet;
        final Admission admission;
        private final Sender self;
        private final HeartbeatLoop loop;
        private long beats;
        private long bytes;
        private long cpuNanos;

        Gateway(String name) {
            self = new Sender(name, ServiceRole.GATEWAY);
            fleet = new FleetMembership(name, DEAD_AFTER, BEAT);
            admission = TestAdmission.of(fleet, (_, _) -> {});
            loop = new HeartbeatLoop(
                    new KafkaClients("localhost:1", Map.of()),
                    new Appended().producer,
                    fleet,
                    admission::release,
                    TestKeys.of(ServiceRole.GATEWAY));
        }

        private void hear(List<byte[]> records) {
            var clock = ManagementFactory.getThreadMXBean();
            long before = clock.getCurrentThreadCpuTime();
            for (var record : records) {
                loop.take(new ConsumerRecord<>(Topic.MODELS, 0, 0, "", record));
            }
            beats += records.size();
            bytes += records.stream().mapToLong(record -> record.length).sum();
            cpuNanos += clock.getCurrentThreadCpuTime() - before;
        }

        /// What a beat cost since the last question.
        Cost costOfBeat() {
            var cost = new Cost(cpuNanos / 1e3 / beats, (double) bytes / beats);
            beats = 0;
            bytes = 0;
            cpuNanos = 0;
            return cost;
        }
    }

    SimulatedFleet(int gateways, int workers, long seed) {
        random = new Random(seed);
        this.gateways = IntStream.range(0, gateways)
                .mapToObj(number -> new Gateway("gateway-" + number))
                .toList();
        this.workers = IntStream.range(0, workers)
                .mapToObj(number -> new Sender("worker-" + number, ServiceRole.WORKER))
                .toList();
    }

    static String model() {
        return MODEL;
    }

    /// So many times everybody who lives sends a beat, in any order, and everybody hears all of them.
    void pass(int times) {
        for (int time = 0; time < times; time++) {
            send();
            deliver();
        }
    }

    /// The bus keeps beats back for so long, and then hands out all of them at once.
    void stall(int times) {
        for (int time = 0; time < times; time++) {
            send();
        }
        deliver();
    }

    private void send() {
        var beats = new ArrayList<byte[]>();
        gateways.forEach(gateway -> beats.add(gateway.self.beat()));
        workers.stream().filter(worker -> !worker.killed).forEach(worker -> beats.add(worker.beat()));
        Collections.shuffle(beats, random);
        held.addAll(beats);
    }

    private void deliver() {
        gateways.forEach(gateway -> gateway.hear(held));
        held.clear();
    }

    /// Kills so many of those that live, drawn by chance.
    ///
    /// @return their names
    List<String> kill(int count) {
        var living = new ArrayList<>(
                workers.stream().filter(worker -> !worker.killed).toList());
        Collections.shuffle(living, random);
        var victims = living.subList(0, count);
        victims.forEach(worker -> worker.killed = true);
        return victims.stream().map(worker -> worker.name).toList();
    }

    /// Names of those that were not killed.
    List<String> living() {
        return workers.stream()
                .filter(worker -> !worker.killed)
                .map(worker -> worker.name)
                .toList();
    }
}
