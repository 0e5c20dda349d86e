package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A witness and a client by others: `aics-witness` 0.1.0, in the Python that `COUNTERPOINT_TLOG_PYTHON` names.
class ForeignWitnessTest {
    private static final String ORIGIN = "audit.example/log";
    private static final String NAME = "w.example/1";
    private static final String PYTHON =
            Objects.requireNonNullElse(System.getenv("COUNTERPOINT_TLOG_PYTHON"), "python3");
    private static final NoteSigner LOG = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
    private static final NoteSigner LOG_ML_DSA = NoteSigner.generate(ORIGIN, SignatureType.ML_DSA_44);
    private static final List<MerkleHash> LEAVES = IntStream.range(0, 100)
            .mapToObj(i -> MerkleHash.ofLeaf(Integer.toString(i).getBytes(StandardCharsets.US_ASCII)))
            .toList();

    @TempDir
    Path folder;

    private int port;

    @BeforeEach
    void choosePort() throws Exception {
        assumeTrue(installed(), "skipped: no Python with aics-witness");
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    @Test
    void aForeignWitnessCosignsForOurClient() throws Exception {
        var vkey = output(witness("init", "--name", NAME))
                .lines()
                .filter(line -> line.startsWith(NAME + "+"))
                .findFirst()
                .orElseThrow();
        output(witness("add-log", "--origin", ORIGIN, "--vkey", LOG.verifier().toString()));
        var server = start(witness("serve", "--listen", "127.0.0.1:" + port));
        try (var http = HttpClient.newHttpClient()) {
            awaitLine(server, "listening");
            var client = new WitnessClient(http, prefix(), List.of(VerifierKey.parse(vkey)), Duration.ofSeconds(20));
            var policy = LogPolicy.parse("log %s\nwitness w %s\nquorum w\n".formatted(LOG.verifier(), vkey));
            for (int size : List.of(3, 64, 64, 100)) {
                var note = note(size);
                var cosigned = note.with(client.cosign(note, tree(size)));
                assertThat(policy.verify(cosigned).size()).isEqualTo(size);
            }
            var fork = new Checkpoint(ORIGIN, 101, LEAVES.getFirst());
            assertThatIOException()
                    .isThrownBy(() -> client.cosign(LOG.sign(fork, Instant.now()), forked()))
                    .withMessage("the witness answered 422");
        } finally {
            server.destroy();
        }
    }

    @Test
    void ourWitnessCosignsForAForeignClient() throws Exception {
        Files.writeString(folder.resolve("logs"), "# the log\n" + LOG.verifier() + "\n");
        for (var size : List.of(3, 64, 100)) {
            Files.write(folder.resolve(Integer.toString(size)), note(size).encode());
        }
        var server = start(WitnessMainTest.command(folder, NAME, port));
        try {
            var ed25519 = awaitLine(server, NAME);
            var feeder = Path.of("src/test/judges/feeder.py").toAbsolutePath().toString();
            var url = prefix().toString();
            assertThat(output(List.of(PYTHON, feeder, url, ed25519, folder.toString())))
                    .isEqualTo("cosigned\n");
        } finally {
            server.destroy();
        }
    }

    private boolean installed() throws Exception {
        try {
            return start(List.of(PYTHON, "-c", "import aics_witness")).waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> witness(String command, String... arguments) {
        var all = new ArrayList<>(List.of(PYTHON, "-u", "-m", "aics_witness", command));
        all.addAll(List.of("--config", folder.resolve("witness.json").toString()));
        all.addAll(List.of(arguments));
        return all;
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private String output(List<String> command) throws IOException {
        try (var reader = start(command).inputReader()) {
            return reader.readAllAsString();
        }
    }

    /// The first line of output with a text.
    static String awaitLine(Process process, String text) throws IOException {
        var reader = process.inputReader();
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new IOException("the process ended without the line");
    }

    private URI prefix() {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static SignedNote note(int size) {
        var now = Instant.now();
        var checkpoint = new Checkpoint(ORIGIN, size, tree(size).root());
        return LOG.sign(checkpoint, now).with(List.of(LOG_ML_DSA.sign(checkpoint.text(), now)));
    }

    private static MerkleTree tree(int size) {
        return MerkleTree.ofLeaves(LEAVES.subList(0, size));
    }

    private static MerkleTree forked() {
        var leaves = new ArrayList<>(LEAVES);
        leaves.add(LEAVES.getFirst());
        return MerkleTree.ofLeaves(leaves);
    }
}
