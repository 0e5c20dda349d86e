package dev.counterpoint.local.e2e;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.spans.SpanCollector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One suite before a model that is not Harmony, for all test classes of this JVM. A class says what its model is like
/// and how its worker is set up; where that changes, a new worker looks at the server.
public final class ForeignSuite implements BeforeAllCallback {
    /// What clients call the model.
    static final String MODEL = RunningSuite.MODEL;

    /// @param settings of the worker, a file that it reads when it starts
    private record Started(ChatServer server, SpanCollector spans, Path folder, Path settings, LaunchedSuite suite)
            implements AutoCloseable {
        @Override
        public void close() {
            suite.close();
            spans.close();
            server.close();
            SuiteFolder.delete(folder);
        }
    }

    private static Started started;

    public static LaunchedSuite suite() {
        return started.suite();
    }

    public static ChatServer server() {
        return started.server();
    }

    public static SpanCollector spans() {
        return started.spans();
    }

    /// @param settings of the worker, by name, beside those of the launcher
    public static void worker(Map<String, String> settings) {
        var lines = lines(settings);
        try {
            if (!Files.readString(started.settings()).equals(lines)) {
                Files.writeString(started.settings(), lines);
                suite().kill("worker-1");
                suite().awaitReady();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String lines(Map<String, String> settings) {
        return new TreeMap<>(settings)
                .entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
                        .collect(Collectors.joining());
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
            var settings = Files.writeString(folder.resolve("worker.properties"), "");
            var spans = SpanCollector.start();
            var variables = new HashMap<>(LaunchedSuite.SHORT_LIVED);
            variables.put("QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true");
            variables.put("QUARKUS_CONFIG_LOCATIONS", settings.toUri().toString());
            var suite = LaunchedSuite.start(
                    folder.resolve("state"),
                    spans.wiring(variables),
                    "--engine",
                    "chat",
                    "--engine-url",
                    server.url(),
                    "--model-name",
                    MODEL);
            return new Started(server, spans, folder, settings, suite);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
