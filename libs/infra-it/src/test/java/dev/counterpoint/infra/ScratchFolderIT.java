package dev.counterpoint.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ScratchFolderIT {
    private static final Duration START_MAX = Duration.ofSeconds(90);

    @TempDir
    Path logs;

    /// Runs in a JVM of its own, which the test kills.
    static final class KilledTestRun {
        public static void main(String[] arguments) throws InterruptedException {
            Path folder = ScratchFolder.folder("killed");
            var server = PostgresServer.start(new PostgresServer.Settings(
                    folder.resolve("data"), FreePort.find(), "test", false, folder.resolve("postgres.log")));
            System.out.println("under-test " + server.process().orElseThrow().pid() + " in " + folder);
            Thread.sleep(Duration.ofMinutes(5));
        }
    }

    @Test
    void nothingIsLeftOfAKilledTestRun() throws Exception {
        try (var run = startKilledTestRun()) {
            // Given
            String[] line = run.awaitLine("under-test ", START_MAX).split(" ");
            var postgres = ProcessHandle.of(Long.parseLong(line[1])).orElseThrow();
            var folder = Path.of(line[3]);
            // When
            run.kill();
            // Then
            postgres.onExit().get(30, TimeUnit.SECONDS);
            awaitGone(folder);
            assertThat(folder).doesNotExist();
        }
    }

    private ChildProcess startKilledTestRun() {
        return ProcessSpec.java(
                        "test run",
                        logs.resolve("run.log"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        KilledTestRun.class.getName())
                .start();
    }

    private static void awaitGone(Path folder) throws InterruptedException {
        for (int attempt = 0; attempt < 200 && Files.exists(folder); attempt++) {
            Thread.sleep(50);
        }
    }
}
