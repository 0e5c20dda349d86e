package dev.counterpoint.local.e2e;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.SummaryWriter;
import dev.counterpoint.local.spans.SpanCollector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// One suite as `up --reasoning summary` starts it, for all test classes of this JVM. It writes its logs in JSON and
/// exports every trace. A test may kill its worker: the launcher starts another, and the next class waits for it.
public final class WholeSuite implements BeforeAllCallback {
    private record Started(SpanCollector spans, Path folder, LaunchedSuite suite) implements AutoCloseable {
        @Override
        public void close() {
            suite.close();
            spans.close();
            SuiteFolder.delete(folder);
        }
    }

    private static Started started;

    public static LaunchedSuite suite() {
        return started.suite();
    }

    public static SpanCollector spans() {
        return started.spans();
    }

    /// The first class starts the suite; it ends when the last class has run.
    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getStore(
                        ExtensionContext.StoreScope.LAUNCHER_SESSION,
                        ExtensionContext.Namespace.create(WholeSuite.class))
                .getOrComputeIfAbsent(Started.class, _ -> start(), Started.class);
        started.suite().awaitReady();
    }

    private static Started start() {
        try {
            var folder = Files.createTempDirectory("counterpoint-suite");
            var spans = SpanCollector.start();
            var variables = new HashMap<>(SummaryWriter.wanted().variables());
            variables.putAll(LaunchedSuite.SHORT_LIVED);
            variables.put("QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true");
            var suite = LaunchedSuite.start(folder.resolve("state"), spans.wiring(variables), "--reasoning", "summary");
            return new Started(spans, folder, suite);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
