package dev.counterpoint.infra.broker;

import dev.counterpoint.infra.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where one broker listens and keeps its data. After [#parse] a port that was asked for as 0 is a free one.
///
/// @param adminPassword of the account [BrokerAccess#ADMIN], which may do everything
/// @param cluster the nodes it belongs with; null for one on its own
/// @param proxiedListeners more ports to listen on
record BrokerSettings(
        Path data,
        int port,
        int controllerPort,
        String adminPassword,
        @Nullable Cluster cluster,
        List<ProxiedListener> proxiedListeners,
        boolean exitsWithParent,
        Map<String, String> overrides) {
    static final String HOST = "127.0.0.1";
    static final String CLIENTS = "CLIENTS";
    static final String CONTROLLER = "CONTROLLER";
    private static final int LONE_NODE = 1;
    /// Copies of a record where there are as many nodes.
    private static final int REPLICAS_MAX = 3;
    /// The largest record: 16 MiB of body and what wraps it.
    static final int MESSAGE_BYTES_MAX = 17 * 1024 * 1024;

    private static final String USAGE = """
            usage: Broker --data=DIR --admin-password-file=FILE [--port=N] [--controller-port=N] [--via=LISTEN:PROXY]…
                          [--set NAME=VALUE]… [--cluster=ID:NODE:PORT,PORT,…] [--exit-with-parent]
            Port 0 is a free one. --via listens on one more port, whose clients are sent to the port PROXY. The first
            --via of each node of a cluster is one way to all nodes, the second is another.
            A cluster's ID is 22 characters of URL-safe base64; its nodes count from 1, in the order of the controllers'
            PORTs.""";

    /// Several nodes of this machine, each broker and controller in one.
    ///
    /// @param id the same for all
    /// @param node this one, from 1
    /// @param controllerPorts of all nodes in order
    record Cluster(String id, int node, List<Integer> controllerPorts) {
        Cluster {
            controllerPorts = List.copyOf(controllerPorts);
            if (id.isEmpty() || node < 1 || node > controllerPorts.size()) {
                throw new IllegalArgumentException("--cluster names no node of a cluster\n" + USAGE);
            }
        }

        static Cluster parse(String value) {
            String[] parts = value.split(":", -1);
            if (parts.length != 3) {
                throw new IllegalArgumentException("--cluster needs ID:NODE:PORT,PORT,…, not " + value + "\n" + USAGE);
            }
            var ports = Arrays.stream(parts[2].split(",", -1))
                    .map(BrokerSettings::port)
                    .toList();
            return new Cluster(parts[0], port(parts[1]), ports);
        }

        int controllerPort() {
            return controllerPorts.get(node - 1);
        }
    }

    /// A port for clients behind a proxy: the broker reports the proxy's address to each client of this port.
    ///
    /// @param number index from 1; listeners of the same number on several nodes form one way to all of them
    /// @param listen port on which this broker listens
    /// @param proxy port that the broker advertises to clients
    record ProxiedListener(int number, int listen, int proxy) {
        String name() {
            return "VIA" + number;
        }
    }

    @Override
    public String toString() {
        return "BrokerSettings[" + data + " " + HOST + ":" + port + "]";
    }

    BrokerSettings {
        proxiedListeners = List.copyOf(proxiedListeners);
        overrides = Map.copyOf(overrides);
    }

    /// @throws IllegalArgumentException with a text for the caller
    static BrokerSettings parse(String... arguments) {
        Path data = null;
        int port = 9092;
        int controllerPort = 0;
        Path adminPasswordFile = null;
        boolean exitsWithParent = false;
        Cluster cluster = null;
        var proxiedListeners = new ArrayList<ProxiedListener>();
        var overrides = new HashMap<String, String>();
        for (int at = 0; at < arguments.length; at++) {
            String argument = arguments[at];
            String value = argument.substring(argument.indexOf('=') + 1);
            if (argument.equals("--set") && at + 1 < arguments.length) {
                put(overrides, arguments[++at]);
            } else if (argument.equals("--exit-with-parent")) {
                exitsWithParent = true;
            } else if (argument.startsWith("--data=")) {
                data = Path.of(value).toAbsolutePath();
            } else if (argument.startsWith("--admin-password-file=")) {
                adminPasswordFile = Path.of(value);
            } else if (argument.startsWith("--port=")) {
                port = port(value);
            } else if (argument.startsWith("--controller-port=")) {
                controllerPort = port(value);
            } else if (argument.startsWith("--via=")) {
                proxiedListeners.add(proxiedListener(proxiedListeners.size() + 1, value));
            } else if (argument.startsWith("--cluster=")) {
                cluster = Cluster.parse(value);
                controllerPort = cluster.controllerPort();
            } else {
                throw new IllegalArgumentException("unknown argument " + argument + "\n" + USAGE);
            }
        }
        if (data == null || adminPasswordFile == null) {
            throw new IllegalArgumentException(
                    (data == null ? "--data" : "--admin-password-file") + " is missing\n" + USAGE);
        }
        return new BrokerSettings(
                        data,
                        port,
                        controllerPort,
                        BrokerAccess.password(adminPasswordFile),
                        cluster,
                        proxiedListeners,
                        exitsWithParent,
                        overrides)
                .withFreePorts();
    }

    private BrokerSettings withFreePorts() {
        // Held open together, so that the two cannot be the same.
        try (var clients = listen(port);
                var controller = listen(controllerPort)) {
            return new BrokerSettings(
                    data,
                    clients.getLocalPort(),
                    controller.getLocalPort(),
                    adminPassword,
                    cluster,
                    proxiedListeners,
                    exitsWithParent,
                    overrides);
        } catch (IOException closing) {
            throw new UncheckedIOException(closing);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        try {
            // Not one of the system's choice: until the broker takes it, an outgoing connection could get the same.
            return new ServerSocket(port == 0 ? FreePort.find() : port, 1, InetAddress.getByName(HOST));
        } catch (IOException taken) {
            throw new IllegalArgumentException("port " + port + " on " + HOST + " is taken", taken);
        }
    }

    private static void put(Map<String, String> overrides, String setting) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("--set needs NAME=VALUE, not " + setting + "\n" + USAGE);
        }
        overrides.put(setting.substring(0, equals), setting.substring(equals + 1));
    }

    private static ProxiedListener proxiedListener(int number, String value) {
        String[] ports = value.split(":", -1);
        if (ports.length != 2) {
            throw new IllegalArgumentException("--via needs two ports, LISTEN:PROXY, not " + value + "\n" + USAGE);
        }
        return new ProxiedListener(number, port(ports[0]), port(ports[1]));
    }

    private static int port(String value) {
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            // Said below.
        }
        throw new IllegalArgumentException("a port is a number from 0 to 65535, not " + value + "\n" + USAGE);
    }

    /// The number of this node.
    int node() {
        return cluster == null ? LONE_NODE : cluster.node();
    }

    private String voters() {
        var ports = cluster == null ? List.of(controllerPort) : cluster.controllerPorts();
        return IntStream.range(0, ports.size())
                .mapToObj(at -> (at + 1) + "@" + HOST + ":" + ports.get(at))
                .collect(Collectors.joining(","));
    }

    private int replicas() {
        return cluster == null
                ? 1
                : Math.min(REPLICAS_MAX, cluster.controllerPorts().size());
    }

    /// Kafka's own settings: as many copies as nodes, of which one may be missing; little memory, nothing created
    /// by accident.
    Properties properties() {
        var kafka = new Properties();
        kafka.putAll(network());
        kafka.putAll(groups());
        kafka.putAll(replication());
        kafka.putAll(Map.of(
                "log.dirs", data.toString(),
                "auto.create.topics.enable", "false",
                "message.max.bytes", String.valueOf(MESSAGE_BYTES_MAX),
                "replica.fetch.max.bytes", String.valueOf(MESSAGE_BYTES_MAX),
                "log.cleaner.dedupe.buffer.size", "2097152",
                "num.partitions", "1",
                "num.recovery.threads.per.data.dir", "2",
                // After a kill the controller lets the broker in again only when its old session has lapsed.
                "broker.session.timeout.ms", "3000",
                "broker.heartbeat.interval.ms", "500"));
        proxiedListeners.forEach(listener -> {
            append(kafka, "listeners", listener.name() + "://" + HOST + ":" + listener.listen());
            append(kafka, "advertised.listeners", listener.name() + "://" + HOST + ":" + listener.proxy());
        });
        kafka.putAll(BrokerAccess.settings(adminPassword, clientListeners()));
        kafka.putAll(overrides);
        return kafka;
    }

    private List<String> clientListeners() {
        return Stream.concat(Stream.of(CLIENTS), proxiedListeners.stream().map(ProxiedListener::name))
                .toList();
    }

    private static void append(Properties kafka, String list, String entry) {
        kafka.merge(list, entry, (before, next) -> before + "," + next);
    }

    private Map<String, String> network() {
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                String.valueOf(node()),
                "controller.quorum.voters",
                voters(),
                "controller.listener.names",
                CONTROLLER,
                "listeners",
                CLIENTS + "://" + HOST + ":" + port + "," + CONTROLLER + "://" + HOST + ":" + controllerPort,
                "advertised.listeners",
                CLIENTS + "://" + HOST + ":" + port,
                "inter.broker.listener.name",
                CLIENTS,
                "num.network.threads",
                "1",
                "num.io.threads",
                "2");
    }

    private static Map<String, String> groups() {
        return Map.of(
                "offsets.topic.num.partitions", "1",
                "transaction.state.log.num.partitions", "1",
                "group.initial.rebalance.delay.ms", "0");
    }

    private Map<String, String> replication() {
        var replicas = String.valueOf(replicas());
        var inSync = String.valueOf(Math.max(1, replicas() - 1));
        return Map.of(
                "default.replication.factor", replicas,
                "min.insync.replicas", inSync,
                "offsets.topic.replication.factor", replicas,
                "transaction.state.log.replication.factor", replicas,
                "transaction.state.log.min.isr", inSync);
    }
}
