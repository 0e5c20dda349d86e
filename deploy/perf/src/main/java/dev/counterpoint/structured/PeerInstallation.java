package dev.counterpoint.structured;

import com.knuddels.jtokkit.Encodings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Another constrained decoder from PyPI, in a virtual environment of its own under `target/peers`.
final class PeerInstallation {
    static final String LLGUIDANCE = "llguidance 1.9.1";
    static final String XGRAMMAR = "xgrammar 0.2.8";

    private static final Path HOME = Path.of("target", "peers").toAbsolutePath();
    private static final String RANKS = "o200k_base.tiktoken";
    private static final int MINUTES_MAX = 10;

    private final String name;
    private final Path home;

    private PeerInstallation(String name) {
        this.name = name;
        home = HOME.resolve(name.replace(' ', '-'));
    }

    /// @param peer its name and version
    /// @throws IOException when it cannot be installed: no Python, no network, no wheel for this machine, no time
    static PeerInstallation of(String peer) throws IOException {
        var installation = new PeerInstallation(peer);
        var done = installation.home.resolve("installed");
        if (!Files.exists(done)) {
            Files.createDirectories(installation.home);
            installation.run(List.of("python3", "-m", "venv", "--clear", installation.home.toString()));
            var pip = "-m pip install --quiet --disable-pip-version-check --retries 1 --only-binary :all: numpy";
            var command = new ArrayList<>(List.of(installation.python()));
            command.addAll(List.of(pip.split(" ")));
            command.add(peer.replace(" ", "=="));
            installation.run(command);
            Files.createFile(done);
        }
        extractRanks();
        return installation;
    }

    /// Runs `mask_peer.py`.
    ///
    /// @param cases the file to play; without one it answers questions
    ProcessBuilder program(String... cases) {
        var script = Path.of("src", "peers", "mask_peer.py").toString();
        var command = new ArrayList<>(List.of(
                python(),
                script,
                name.replaceFirst(" .*", ""),
                HOME.resolve(RANKS).toString()));
        command.addAll(List.of(cases));
        return new ProcessBuilder(command);
    }

    private String python() {
        return home.resolve("bin").resolve("python").toString();
    }

    private void run(List<String> command) throws IOException {
        var output = home.resolveSibling(home.getFileName() + ".log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException(name + " took longer than " + MINUTES_MAX + " minutes to install");
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

    private static void extractRanks() throws IOException {
        try (var ranks = Encodings.class.getResourceAsStream("/com/knuddels/jtokkit/" + RANKS)) {
            if (ranks == null) {
                throw new IOException("no vocabulary on the class path");
            }
            Files.write(HOME.resolve(RANKS), ranks.readAllBytes());
        }
    }
}
