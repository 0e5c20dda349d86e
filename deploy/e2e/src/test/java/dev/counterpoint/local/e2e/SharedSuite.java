package dev.counterpoint.local.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One running suite for all test classes of this JVM that only ask it: two gateways, and a worker that loses no time.
/// Whoever kills or configures something starts a [RunningSuite] of its own.
final class SharedSuite implements BeforeAllCallback {
    private static final String NO_TIME = "0ms";

    /// @param gateways both know the model
    record Started(Path folder, RunningSuite suite, List<RunningSuite.Service> gateways, RunningSuite.Service worker)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            suite.close();
            try (var files = Files.walk(folder)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static Started started;

    static RunningSuite suite() {
        return started.suite();
    }

    static List<RunningSuite.Service> gateways() {
        return started.gateways();
    }

    static RunningSuite.Service worker() {
        return started.worker();
    }

    /// The first class starts the suite; it ends when the last one has run.
    @Override
    public void beforeAll(ExtensionContext context) {
        // Of the session: Failsafe executes each class by itself where it has several JVMs.
        started = context.getStore(
                        ExtensionContext.StoreScope.LAUNCHER_SESSION,
                        ExtensionContext.Namespace.create(SharedSuite.class))
                .getOrComputeIfAbsent(Started.class, _ -> start(), Started.class);
    }

    private static Started start() {
        try {
            var folder = Files.createTempDirectory("counterpoint-suite");
            var suite = new RunningSuite(folder);
            var worker = suite.startWorker(Map.of(
                    "WORKER_SIMULATED_FIRST_TOKEN_TIME", NO_TIME,
                    "WORKER_SIMULATED_PER_TOKEN_TIME", NO_TIME,
                    "WORKER_SIMULATED_SLOTS", "8"));
            var gateways = List.of(
                    suite.startGateway().ready(), suite.startReplica(Map.of()).ready());
            worker.ready();
            for (var gateway : gateways) {
                var client = suite.client(gateway, RunningSuite.SUMMARY_KEY);
                Eventually.until(
                        () -> client.get("/v1/models").body().toString(),
                        models -> models.contains(RunningSuite.MODEL));
            }
            return new Started(folder, suite, gateways, worker);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
