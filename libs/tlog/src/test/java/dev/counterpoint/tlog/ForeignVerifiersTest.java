package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs by others read what we write. `COUNTERPOINT_TLOG_PYTHON` names a Python that has `aics-tlog` 0.2.1.
class ForeignVerifiersTest {
    private static final String ORIGIN = "audit.example/log";
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final Path JUDGES = Path.of("src/test/judges").toAbsolutePath();
    private static final int SIZE = 700;
    private static final long MINUTES_MAX = 2;

    private final NoteSigner log = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
    private final NoteSigner logMlDsa = NoteSigner.generate(ORIGIN, SignatureType.ML_DSA_44);
    private final NoteSigner witness = NoteSigner.generate("w.example", SignatureType.ED25519_COSIGNATURE);

    @TempDir
    Path folder;

    @TempDir
    Path build;

    @Test
    void goModulesAcceptTheLogAndRefuseAFlippedBit() throws Exception {
        var program = build.resolve("judge").toString();
        var built = run(JUDGES.resolve("go"), List.of("go", "build", "-o", program, "."));
        assumeTrue(built.status == 0, "skipped: no go with golang.org/x/mod: " + built.output);
        write();
        var judge = List.of(program, folder.toString(), log.verifier().toString());
        assertThat(run(folder, judge).output).isEqualTo("accepted: " + SIZE + " leaves\n");
        flip("tile/0/001");
        assertThat(run(folder, judge).status).isNotZero();
    }

    @Test
    void pythonAcceptsTheLogAndRefusesAFlippedBit() throws Exception {
        var python = Objects.requireNonNullElse(System.getenv("COUNTERPOINT_TLOG_PYTHON"), "python3");
        var found = run(build, List.of(python, "-c", "import aics_tlog"));
        assumeTrue(found.status == 0, "skipped: no Python with aics-tlog");
        write();
        var judge = List.of(
                python,
                JUDGES.resolve("judge.py").toString(),
                folder.toString(),
                log.verifier().toString(),
                witness.verifier().toString(),
                logMlDsa.verifier().toString());
        assertThat(run(folder, judge).output).isEqualTo("accepted: " + SIZE + " leaves\n");
        flip("tile/entries/001");
        assertThat(run(folder, judge).status).isNotZero();
    }

    private void write() {
        var store = new FolderTileStore(folder);
        var writer = new TileLogWriter(new Checkpoint(ORIGIN, 0, MerkleHash.EMPTY_TREE), store);
        for (var from = 0; from < SIZE; from += 100) {
            writer.append(TileLogTest.entries(from, from + 100));
        }
        var text = writer.checkpoint().text();
        store.publish(
                new SignedNote(text, List.of(log.sign(text, NOW), logMlDsa.sign(text, NOW), witness.sign(text, NOW))));
    }

    private void flip(String path) throws IOException {
        var content = Files.readAllBytes(folder.resolve(path));
        content[77] ^= 4;
        Files.write(folder.resolve(path), content);
    }

    private record Ended(int status, String output) {}

    private Ended run(Path where, List<String> command) throws Exception {
        var output = build.resolve("output");
        try {
            var process = new ProcessBuilder(command)
                    .directory(where.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return new Ended(-1, "timed out");
            }
            return new Ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new Ended(-1, "not installed");
        }
    }
}
