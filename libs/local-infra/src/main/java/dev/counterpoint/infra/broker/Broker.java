package dev.counterpoint.infra.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/// A Kafka broker (KRaft, broker and controller in one) for one machine: tests and `deploy/local`. On its own,
/// or a node of a small cluster.
///
/// ```
/// java … dev.counterpoint.infra.broker.Broker --data=DIR --admin-password-file=FILE [--port=9092]
/// [--controller-port=0] [--via=LISTEN:PROXY]… [--set NAME=VALUE]… [--cluster=ID:NODE:PORT,PORT,…]
/// [--exit-with-parent]
/// ```
///
/// Prints `broker ready HOST:PORT` once it accepts clients; everything else it says (warnings) goes to stderr. The
/// data directory is formatted when it is new and reused otherwise; a broker killed at any moment starts again from
/// it. SIGTERM stops it. Clients log in: `admin` with the password of the file may do everything, others what
/// access rules allow. Exit status: 0 stopped, 1 failed to start, 2 wrong arguments.
public final class Broker {
    private Broker() {}

    public static void main(String[] arguments) {
        quietLogging();
        BrokerSettings settings;
        try {
            settings = BrokerSettings.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
            return;
        }
        try {
            run(settings);
        } catch (Exception failure) {
            System.err.println("broker failed to start: " + failure);
            failure.printStackTrace(System.err);
            // Half-started Kafka threads would keep the JVM alive.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(BrokerSettings settings) throws Exception {
        Files.createDirectories(settings.data());
        formatIfNew(settings);
        var server = new KafkaRaftServer(new KafkaConfig(settings.properties(), false), Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "broker-stop"));
        if (settings.exitsWithParent()) {
            ProcessHandle.current().parent().ifPresent(Broker::exitAfter);
        }
        server.startup();
        System.out.println("broker ready " + BrokerSettings.HOST + ":" + settings.port());
        server.awaitShutdown();
    }

    /// A test run that is killed takes its broker along.
    private static void exitAfter(ProcessHandle parent) {
        parent.onExit().thenRun(() -> System.exit(0));
    }

    /// `meta.properties` is what the formatter writes last, so a directory without it was never finished.
    private static void formatIfNew(BrokerSettings settings) throws Exception {
        var data = settings.data();
        if (Files.exists(data.resolve("meta.properties"))) {
            return;
        }
        clear(data);
        var formatter = new Formatter();
        var cluster = settings.cluster();
        formatter.setClusterId(cluster == null ? Uuid.randomUuid().toString() : cluster.id());
        formatter.setNodeId(settings.node());
        formatter.setControllerListenerName(BrokerSettings.CONTROLLER);
        formatter.setMetadataLogDirectory(data.toString());
        formatter.addDirectory(data.toString());
        formatter.setReleaseVersion(MetadataVersion.latestProduction());
        formatter.setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
        formatter.run();
    }

    /// A directory that holds anything but an unfinished format is somebody else's, and is refused.
    private static void clear(Path data) throws IOException {
        try (var files = Files.list(data)) {
            for (Path file : files.toList()) {
                if (!file.getFileName().toString().equals("bootstrap.checkpoint")) {
                    throw new IOException(data + " is not a broker's directory: it holds " + file.getFileName());
                }
                Files.delete(file);
            }
        }
    }

    /// Warnings and errors only, on stderr; a `-D` on the command line wins.
    private static void quietLogging() {
        defaultProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        defaultProperty("org.slf4j.simpleLogger.showDateTime", "true");
        defaultProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        // They warn at every start that a controller became active, and at every stop of a client closed twice.
        defaultProperty("org.slf4j.simpleLogger.log.org.apache.kafka.controller.QuorumController", "error");
        defaultProperty("org.slf4j.simpleLogger.log.org.apache.kafka.clients.NetworkClient", "error");
    }

    private static void defaultProperty(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
