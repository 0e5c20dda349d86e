package dev.counterpoint.testkit;

import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.ScratchFolder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Several brokers of `libs/local-infra` that keep copies of each other's records, always as processes of this
/// machine: three of them hold every record three times and take new ones while two are there. What is done to the
/// whole is done to each [#node]. Thread-safe.
public final class KafkaCluster implements TestKafka {
    private static final Duration START_MAX = Duration.ofSeconds(120);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    private final List<Node> nodes;

    private KafkaCluster(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /// Starts so many brokers with nothing in them.
    ///
    /// @throws IllegalStateException when one does not start, with the end of its log
    public static KafkaCluster start(int brokers) {
        return start(brokers, List.of());
    }

    /// The same, whose brokers notice the loss of one as late as Kafka's usual settings say: after nine seconds.
    public static KafkaCluster startWithUsualSession(int brokers) {
        return start(
                brokers,
                List.of("--set", "broker.session.timeout.ms=9000", "--set", "broker.heartbeat.interval.ms=2000"));
    }

    private static KafkaCluster start(int brokers, List<String> settings) {
        var id = newId();
        var ports = Stream.generate(FreePort::find).limit(2L * brokers).toList();
        var controllers = ports.subList(brokers, 2 * brokers).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        var folder = ScratchFolder.folder("kafka-cluster");
        var nodes = new ArrayList<Node>();
        for (int node = 1; node <= brokers; node++) {
            var home = folder.resolve("node-" + node);
            var arguments = new ArrayList<>(List.of(
                    "--data=" + home.resolve("data"),
                    "--port=" + ports.get(node - 1),
                    TestBroker.passwordArgument(),
                    "--cluster=" + id + ":" + node + ":" + controllers,
                    "--exit-with-parent"));
            arguments.addAll(settings);
            nodes.add(new Node(home, ports.get(node - 1), List.copyOf(arguments)));
        }
        nodes.forEach(Node::awaitReady);
        return new KafkaCluster(nodes);
    }

    private static String newId() {
        var random = UUID.randomUUID();
        var bytes = ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /// One broker of the cluster.
    ///
    /// @param number as the brokers themselves count, from 1
    public Node node(int number) {
        return nodes.get(number - 1);
    }

    @Override
    public String bootstrapServers() {
        return nodes.stream().map(node -> "127.0.0.1:" + node.port).collect(Collectors.joining(","));
    }

    @Override
    public void stop() {
        nodes.parallelStream().forEach(Node::stop);
    }

    @Override
    public void kill() {
        nodes.forEach(Node::kill);
    }

    /// None is ready before most are there, so they start together.
    @Override
    public void restart() {
        nodes.forEach(Node::launch);
        nodes.forEach(Node::awaitReady);
    }

    @Override
    public void pause() {
        nodes.forEach(node -> node.process().pause());
    }

    @Override
    public void resume() {
        nodes.forEach(node -> node.process().resume());
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
    }

    /// One broker; keeps its address and its records over [#kill] and [#restart]. Thread-safe.
    public static final class Node implements AutoCloseable {
        private final Path home;
        private final int port;
        private final List<String> arguments;
        private ChildProcess broker;

        private Node(Path home, int port, List<String> arguments) {
            this.home = home;
            this.port = port;
            this.arguments = arguments;
            broker = begin();
        }

        private ChildProcess begin() {
            return ProcessSpec.broker(home.resolve("broker.log"), arguments.toArray(String[]::new))
                    .appending()
                    .start();
        }

        private synchronized void launch() {
            if (broker.isAlive()) {
                throw new IllegalStateException("the broker runs: stop or kill it first");
            }
            broker = begin();
        }

        private void awaitReady() {
            process().awaitLine("broker ready", START_MAX);
        }

        /// The process that it is now.
        public synchronized ChildProcess process() {
            return broker;
        }

        /// Ends it in order (SIGTERM).
        public void stop() {
            process().stop(STOP_MAX);
        }

        /// Ends it at once (SIGKILL).
        public void kill() {
            process().kill();
        }

        /// Starts it again with the same records.
        public void restart() {
            launch();
            awaitReady();
        }

        @Override
        public synchronized void close() {
            broker.close();
        }
    }
}
