package dev.counterpoint.harmony;

import com.knuddels.jtokkit.Encodings;
import dev.counterpoint.harmony.render.ReferenceCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A reference from PyPI in a virtual environment of its own, `target/oracle/NAME`.
final class ReferenceInstallation {
    private static final Path HOME = Path.of("target", "oracle").toAbsolutePath();
    private static final Path VOCABULARY = HOME.resolve("vocabulary");
    private static final int MINUTES_MAX = 5;

    private final Path home;

    private ReferenceInstallation(Path home) {
        this.home = home;
    }

    /// @throws IOException when it cannot be installed: no Python, no network, no wheel for this machine
    static ReferenceInstallation of(ReferenceCodec reference) throws IOException {
        var what = switch (reference) {
            case OPENAI_0_0_8 -> "openai-harmony==0.0.8";
            case OSS_0_0_11 -> "oss-harmony==0.0.11";
        };
        var installation = new ReferenceInstallation(HOME.resolve(what.replace("==", "-")));
        var done = installation.home.resolve("installed");
        if (!Files.exists(done)) {
            Files.createDirectories(installation.home);
            installation.run("python3", "-m", "venv", "--clear", installation.home.toString());
            installation.run(
                    installation.python(),
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--retries",
                    "1",
                    "--only-binary",
                    ":all:",
                    what);
            Files.createFile(done);
        }
        extractVocabulary();
        return installation;
    }

    ReferenceProcess start() throws IOException {
        var command = List.of(python(), Path.of("src", "peers", "reference.py").toString());
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Only the older one asks for it; the other has its vocabulary inside.
        builder.environment().put("TIKTOKEN_ENCODINGS_BASE", VOCABULARY.toString());
        return new ReferenceProcess(builder.start());
    }

    private String python() {
        return home.resolve("bin").resolve("python").toString();
    }

    private void run(String... command) throws IOException {
        var output = home.resolve("install.log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        try {
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException("took longer than " + MINUTES_MAX + " minutes: " + String.join(" ", command));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (process.exitValue() != 0) {
            var lines = Files.readAllLines(output);
            throw new IOException(lines.isEmpty() ? String.join(" ", command) + " failed" : lines.getLast());
        }
    }

    private static void extractVocabulary() throws IOException {
        var name = "o200k_base.tiktoken";
        try (var vocabulary = Encodings.class.getResourceAsStream("/com/knuddels/jtokkit/" + name)) {
            if (vocabulary == null) {
                throw new IOException("no vocabulary on the class path");
            }
            Files.createDirectories(VOCABULARY);
            Files.write(VOCABULARY.resolve(name), vocabulary.readAllBytes());
        }
    }
}
