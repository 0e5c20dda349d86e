package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Sequences that join, leave and are cancelled at random leave nothing behind.
@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class LlamaChurnTest {
    private static final int SECONDS_MAX = 400;
    private static final double GROWTH_MAX = 1.05;

    @TempDir
    Path folder;

    /// In a process whose heap is there from the beginning, so that what grows is not Java's.
    @Test
    void leaksNeitherSlotsNorMemory() throws Exception {
        GgufTestModel.file();
        var output = folder.resolve("output");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms256m",
                        "-Xmx256m",
                        "-XX:+AlwaysPreTouch",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dllama.folder=" + System.getProperty("llama.folder", ""),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Churn.class.getName())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(process.exitValue()).isZero();
        var lines = Files.readString(output).strip().lines().toList();
        var figures = lines.getLast().split(" ");
        assertThat(figures[0]).isEqualTo(String.valueOf(Churn.SLOTS));
        double growth = Double.parseDouble(figures[2]) / Double.parseDouble(figures[1]);
        assertThat(growth)
                .as("memory after all joins, by memory after the first")
                .isLessThan(GROWTH_MAX);
    }
}
