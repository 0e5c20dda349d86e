package dev.counterpoint.local.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One running suite for all test classes of this JVM that need gateways and workers only: two gateways, and three
/// workers with a model each, which differ in their pace and their slots. A test may start one more gateway and kill
/// it.
final class SharedSuite implements BeforeAllCallback {
    /// A model of two slots that takes 10 ms for each token; [RunningSuite#MODEL] takes no time and has eight.
    static final String SLOW = "slow";
    /// A model as slow, with one slot.
    static final String SINGLE = "single";

    /// @param gateways both know the models
    /// @param workers by the name of their model
    record Started(
            Path folder,
            RunningSuite suite,
            List<RunningSuite.Service> gateways,
            Map<String, RunningSuite.Service> workers)
            implements AutoCloseable {
        @Override
        public void close() {
            suite.close();
            SuiteFolder.delete(folder);
        }
    }

    private static Started started;

    static RunningSuite suite() {
        return started.suite();
    }

    static List<RunningSuite.Service> gateways() {
        return started.gateways();
    }

    static RunningSuite.Service worker(String model) {
        return Objects.requireNonNull(started.workers().get(model));
    }

    /// One more gateway that knows the models, with settings of its own.
    static RunningSuite.Service startGateway(Map<String, String> settings) {
        var gateway = suite().startReplica(settings).ready();
        try {
            awaitModels(suite(), gateway);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        return gateway;
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
            var workers = Map.of(
                    RunningSuite.MODEL,
                    startWorker(suite, RunningSuite.MODEL, "0ms", 8),
                    SLOW,
                    startWorker(suite, SLOW, "10ms", 2),
                    SINGLE,
                    startWorker(suite, SINGLE, "10ms", 1));
            var gateways = List.of(
                    suite.startGateway(Map.of("GATEWAY_NEW_TENANT_REQUESTS_PER_MINUTE", "5000")),
                    suite.startReplica(Map.of()));
            workers.values().forEach(RunningSuite.Service::ready);
            for (var gateway : gateways) {
                awaitModels(suite, gateway.ready());
            }
            return new Started(folder, suite, gateways, workers);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static RunningSuite.Service startWorker(RunningSuite suite, String model, String perToken, int slots) {
        return suite.startWorker(Map.of(
                "WORKER_MODEL_NAME", model,
                "WORKER_SIMULATED_FIRST_TOKEN_TIME", perToken,
                "WORKER_SIMULATED_PER_TOKEN_TIME", perToken,
                "WORKER_SIMULATED_SLOTS", Integer.toString(slots)));
    }

    private static void awaitModels(RunningSuite suite, RunningSuite.Service gateway) throws InterruptedException {
        var client = suite.client(gateway, RunningSuite.SUMMARY_KEY);
        Eventually.until(
                () -> client.get("/v1/models").body().path("data").findValuesAsText("id"),
                models -> models.containsAll(List.of(RunningSuite.MODEL, SLOW, SINGLE)));
    }
}
