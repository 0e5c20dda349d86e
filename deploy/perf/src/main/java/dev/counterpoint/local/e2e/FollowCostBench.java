package dev.counterpoint.local.e2e;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.counterpoint.local.LaunchedSuite;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// What it costs to be followed: how many bytes of `frames` the broker hands out for each byte that it takes, with one
/// gateway and with more. Were every frame read once per gateway, the figure would grow by one with each.
final class FollowCostBench {
    private static final List<Integer> GATEWAYS = List.of(1, 2, 4);
    private static final int RESPONSES = 96;
    private static final int AT_ONCE = 24;

    private FollowCostBench() {}

    /// @param in bytes that the topic took
    /// @param out bytes of it that were handed out
    private record Bytes(long in, long out) {
        static Bytes of(MBeanServerConnection broker) throws IOException, JMException {
            return new Bytes(count(broker, "BytesInPerSec"), count(broker, "BytesOutPerSec"));
        }

        private static long count(MBeanServerConnection broker, String name) throws IOException, JMException {
            var meter = new ObjectName("kafka.server:type=BrokerTopicMetrics,name=" + name + ",topic=frames");
            return ((Number) broker.getAttribute(meter, "Count")).longValue();
        }

        Bytes since(Bytes before) {
            return new Bytes(in - before.in, out - before.out);
        }
    }

    static void main() throws Exception {
        System.out.println("| gateways | responses | frames written, MB | handed out, MB | handed out : written |");
        System.out.println("|---:|---:|---:|---:|---:|");
        for (int gateways : GATEWAYS) {
            var folder =
                    Files.createTempDirectory(Path.of("target"), "follow-cost").toAbsolutePath();
            try (var suite = LaunchedSuite.start(folder, "--gateways", Integer.toString(gateways))) {
                suite.awaitReady();
                print(gateways, measure(suite, gateways));
            }
        }
    }

    @SuppressWarnings("BanJNDI") // the name is our own broker's
    private static Bytes measure(LaunchedSuite suite, int gateways)
            throws IOException, JMException, AttachNotSupportedException, InterruptedException, ExecutionException {
        var callers = new ArrayList<ApiClient>();
        for (int i = 0; i < gateways; i++) {
            var address = URI.create("http://127.0.0.1:" + (suite.gateway().getPort() + i));
            callers.add(new ApiClient(address, suite.export("COUNTERPOINT_API_KEY")));
        }
        ask(callers, gateways); // warm
        var virtualMachine =
                VirtualMachine.attach(Long.toString(suite.process("kafka").pid()));
        var agent = new JMXServiceURL(virtualMachine.startLocalManagementAgent());
        try (var connector = JMXConnectorFactory.connect(agent)) {
            var broker = connector.getMBeanServerConnection();
            var before = Bytes.of(broker);
            ask(callers, RESPONSES);
            return Bytes.of(broker).since(before);
        } finally {
            virtualMachine.detach();
        }
    }

    private static void ask(List<ApiClient> callers, int responses) throws InterruptedException, ExecutionException {
        try (var asking = Executors.newFixedThreadPool(AT_ONCE)) {
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < responses; i++) {
                var caller = callers.get(i % callers.size());
                answers.add(asking.submit(() -> ending(caller)));
            }
            for (var answer : answers) {
                if (!"response.completed".equals(answer.get())) {
                    throw new IllegalStateException("a response ended otherwise");
                }
            }
        }
    }

    private static String ending(ApiClient caller) {
        var body = """
                {"model":"%s","input":"Count from 1 to 100.","stream":true}""".formatted(RunningSuite.MODEL);
        return Streams.bodies(caller.stream("/v1/responses", body, _ -> {}))
                .getLast()
                .path("type")
                .asText();
    }

    private static void print(int gateways, Bytes bytes) {
        System.out.printf(
                Locale.ROOT,
                "| %d | %d | %.1f | %.1f | %.2f |%n",
                gateways,
                RESPONSES,
                bytes.in() / 1e6,
                bytes.out() / 1e6,
                (double) bytes.out() / bytes.in());
    }
}
