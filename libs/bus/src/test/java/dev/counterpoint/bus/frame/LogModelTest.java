package dev.counterpoint.bus.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs `src/test/model/log_model.py`: the rules of the log with workers that speak before their fence is read, and
/// each rule broken once. A build runs a bounded walk, the nightly run the full one. Needs Python 3.
@Tag("random")
class LogModelTest {
    private static final String MODEL = "src/test/model/log_model.py";
    private static final int BROKEN_RULES_MIN = 25;

    @Test
    void theModelFindsNoViolationAndNoticesEveryBrokenRule() throws Exception {
        // Given
        assumeThat(pythonIsInstalled()).as("python3 is installed").isTrue();
        // When
        var model = start(command());
        var lines = new String(model.getInputStream().readAllBytes()).lines().toList();
        int status = model.waitFor();
        // Then
        assertThat(lines).first().asString().startsWith("ok intact: 0 violations");
        assertThat(lines).allMatch(line -> line.startsWith("ok ")).hasSizeGreaterThan(BROKEN_RULES_MIN);
        assertThat(status).isZero();
    }

    private static List<String> command() {
        var command = new ArrayList<>(List.of("python3", MODEL));
        if (Integer.getInteger("scale", 1) == 1) {
            command.add("--bounded");
        }
        return command;
    }

    private static boolean pythonIsInstalled() throws InterruptedException {
        try {
            return start(List.of("python3", "--version")).waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Process start(List<String> command) throws IOException {
        assertThat(Path.of(MODEL)).exists();
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
