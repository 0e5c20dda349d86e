package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.log.follow.KafkaEndOffsets;
import dev.counterpoint.gateway.log.replay.LogReplays;
import dev.counterpoint.gateway.log.replay.ReplayLoop;
import dev.counterpoint.gateway.recovery.RecoveredTurns;
import dev.counterpoint.gateway.recovery.StretchReader;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.testkit.TestConfig;
import dev.counterpoint.testkit.TestKafka;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.eclipse.microprofile.config.ConfigProvider;

/// Another gateway beside the one under test, as far as owners go: with clients, beats and a fleet of its own. What
/// it takes up it finishes in the first one's database.
final class SecondGateway implements AutoCloseable {
    private static final String ID = "second";

    private final KafkaClients clients;
    private final KafkaProducer<String, byte[]> producer;
    private final HeartbeatLoop beats;
    private final PartitionOwnership ownership;
    private final ReplayLoop reading;
    private final KafkaEndOffsets offsets;

    /// The first gateway's turns, in which this one finishes what it takes up.
    record Turns(Instance<TurnRebuilder> apis, StoredResponses rows, Generations generations) {}

    /// @param incarnation sender of its beats
    SecondGateway(String incarnation, PartitionTable table, KeyRing keys, Turns turns) {
        this(incarnation, table, keys, turns, recovery -> recovery);
    }

    SecondGateway(
            String incarnation,
            PartitionTable table,
            KeyRing keys,
            Turns turns,
            UnaryOperator<FollowedResponses.Recovery> watching) {
        var config = config();
        clients = new KafkaClients(config.bootstrapServers(), TestKafka.adminLogin());
        producer = clients.promptProducer();
        var fleet = new FleetMembership(incarnation, config.deadAfterBeats(), config.beatInterval());
        var inboxes = new Inboxes(fleet);
        var decisions = new LogCommands(producer, keys, inboxes);
        var admission = TestAdmission.of(inboxes, decisions);
        beats = new HeartbeatLoop(clients, producer, fleet, admission::release, keys);
        offsets = new KafkaEndOffsets(clients);
        reading = new ReplayLoop(clients);
        var replays = new LogReplays(config, reading, offsets, keys);
        var recovered = new RecoveredTurns(keys, fleet, replays, admission, turns.apis, turns.rows, turns.generations);
        var responses = new FollowedResponses(
                config.mailboxCapacity(),
                keys,
                new RecoveryPolicy(config, fleet, decisions, admission, new OwnerTraces(reading, keys)),
                admission,
                watching.apply(recovered));
        ownership = new PartitionOwnership(
                config, table, clients, fleet, beats, responses, new StretchReader(clients, keys, recovered), offsets);
        ownership.start();
    }

    private static LogConfig config() {
        var first = ConfigProvider.getConfig();
        return TestConfig.of(
                LogConfig.class,
                Map.of(
                        "gateway.stream.id",
                        ID,
                        "gateway.stream.bootstrap-servers",
                        first.getValue("kafka.bootstrap.servers", String.class),
                        "gateway.stream.keys-dir",
                        "keys",
                        "gateway.stream.partitions",
                        first.getValue("gateway.stream.partitions", String.class)));
    }

    /// Partitions that it owns.
    Set<Integer> owned() {
        return ownership.loop().map(loop -> loop.resumeOffsets().keySet()).orElse(Set.of());
    }

    /// As on SIGTERM.
    @Override
    public void close() {
        ownership.stop(new ShutdownEvent());
        reading.close();
        offsets.close();
        beats.close();
        producer.close(Duration.ofSeconds(2));
    }
}
