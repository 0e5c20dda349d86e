package dev.counterpoint.local.e2e;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.SuiteWiring;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One suite before a model that is not Harmony, for all test classes of this JVM. A class says what its model is like;
/// where that changes, a new worker looks at the server.
final class ForeignSuite implements BeforeAllCallback {
    /// What clients call the model.
    static final String MODEL = "other";

    private record Started(ChatServer server, Path folder, LaunchedSuite suite) implements AutoCloseable {
        @Override
        public void close() {
            suite.close();
            server.close();
            SuiteFolder.delete(folder);
        }
    }

    private static Started started;

    static LaunchedSuite suite() {
        return started.suite();
    }

    static ChatServer server() {
        return started.server();
    }

    /// @param exact whether the model answers exactly what it is asked when a worker tries it
    static void modelIsExact(boolean exact) {
        if (server().isExact(exact)) {
            suite().kill("worker-1");
            suite().awaitReady();
        }
    }

    /// The first class starts the suite; it ends when the last class has run.
    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getStore(
                        ExtensionContext.StoreScope.LAUNCHER_SESSION,
                        ExtensionContext.Namespace.create(ForeignSuite.class))
                .getOrComputeIfAbsent(Started.class, _ -> start(), Started.class);
        started.suite().awaitReady();
    }

    private static Started start() {
        try {
            var folder = Files.createTempDirectory("counterpoint-suite");
            var server = new ChatServer();
            var sees = Map.of("WORKER_CHAT_TAKES_IMAGES", "true");
            var suite = LaunchedSuite.start(
                    folder.resolve("state"),
                    new SuiteWiring(Map.of("worker-1", sees, "worker-isolated", sees)),
                    "--engine",
                    "chat",
                    "--engine-url",
                    server.url(),
                    "--model-name",
                    MODEL);
            return new Started(server, folder, suite);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
