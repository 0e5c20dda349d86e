package dev.counterpoint.harmony.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs other programs.
final class Commands {
    private static final int MINUTES_MAX = 20;

    private Commands() {}

    /// What the program wrote, without what it said to stderr.
    ///
    /// @throws IOException when it cannot be started, fails, or takes too long
    static List<String> run(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        var output = File.createTempFile("bench", ".out");
        var errors = File.createTempFile("bench", ".err");
        try {
            var builder = new ProcessBuilder(command).redirectOutput(output).redirectError(errors);
            builder.environment().putAll(environment);
            var process = builder.start();
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException(command.getFirst() + " took more than " + MINUTES_MAX + " minutes");
            }
            if (process.exitValue() != 0) {
                throw new IOException(command.getFirst() + " failed: " + lastLine(errors));
            }
            return Files.readAllLines(output.toPath(), StandardCharsets.UTF_8);
        } finally {
            output.delete();
            errors.delete();
        }
    }

    private static String lastLine(File file) throws IOException {
        var lines = Files.readAllLines(file.toPath(), StandardCharsets.UTF_8);
        return lines.isEmpty() ? "no word of why" : lines.getLast();
    }
}
