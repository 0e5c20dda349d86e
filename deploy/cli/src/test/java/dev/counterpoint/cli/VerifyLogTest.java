package dev.counterpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.FolderTileStore;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.TileContent;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileLogWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `counterpoint audit verify log` on logs that somebody changed.
class VerifyLogTest {
    private static final int SIZE = 2_000;
    private static final int EDITS = Integer.getInteger("scale", 1) == 1 ? 50 : 500;

    @TempDir
    Path folder;

    private SampleLog log;

    @BeforeEach
    void write() {
        log = new SampleLog("a", SIZE).write(folder);
    }

    @Test
    void acceptsALogInAFolderAndBehindAUrl() {
        var server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder, OutputLevel.NONE);
        server.start();

        var there = CommandRun.verify(
                "log", "http://localhost:" + server.getAddress().getPort() + "/");
        server.stop(0);
        log.write(folder.resolve("a log, 50% #1"));
        var here = CommandRun.verify("log", folder.resolve("a log, 50% #1"));

        assertThat(here).isEqualTo(new CommandRun(0, CommandRun.json(true, "", null, SIZE), ""));
        assertThat(there).isEqualTo(here);
        assertThat(CommandRun.of("audit", "verify", "log", folder, "--key", SampleLog.KEY)
                        .out())
                .isEqualTo("good, 2000 leaves");
    }

    @Test
    void aRedirectionIsNoCheckpoint() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Location", "https://localhost:1/");
            exchange.sendResponseHeaders(301, -1);
            exchange.close();
        });
        server.start();

        var run = CommandRun.verify(
                "log", "http://localhost:" + server.getAddress().getPort() + "/");
        server.stop(0);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.errors()).contains("301");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"edited,700", "deleted,700", "inserted,700", "reordered,700", "edited,1999", "reordered,1990"})
    void namesWhatWasDoneToTheEntriesAndWhere(String kind, int index) throws IOException {
        // Given
        var id = TileId.inTree(TileId.ENTRIES, index / TileId.WIDTH, SIZE);
        var file = folder.resolve(id.path());
        var entries = new ArrayList<>(TileContent.entries(Files.readAllBytes(file), id.width()));
        int at = index % TileId.WIDTH;
        // When
        switch (kind) {
            case "edited" -> entries.set(at, log.leaves.get(3));
            case "deleted" -> {
                entries.remove(at);
                entries.add(log.leaves.get(3));
            }
            case "inserted" -> {
                entries.add(at, log.leaves.get(3));
                entries.removeLast();
            }
            default -> Collections.swap(entries, at, at + 4);
        }
        Files.write(file, TileContent.ofEntries(entries));
        // Then
        assertThat(CommandRun.verify("log", folder).out()).isEqualTo(CommandRun.json(false, kind, index, SIZE));
        assertThat(CommandRun.verify("log", folder).code()).isEqualTo(1);
    }

    @Test
    void distinguishesAMissingEndFromAMissingMiddle() throws IOException {
        Files.delete(folder.resolve("tile/entries/006"));
        assertThat(CommandRun.verify("log", folder).out()).isEqualTo(CommandRun.json(false, "deleted", 1536, SIZE));

        Files.delete(folder.resolve("tile/entries/007.p/208"));
        assertThat(CommandRun.verify("log", folder).out()).isEqualTo(CommandRun.json(false, "truncated", 1536, SIZE));
    }

    @Test
    void findsALogThatWasWrittenAnewUnderItsOldCheckpoint() throws IOException {
        // Given
        var note = Files.readAllBytes(folder.resolve("checkpoint"));
        new SampleLog("b", SIZE).write(folder);
        // When
        Files.write(folder.resolve("checkpoint"), note);
        // Then
        assertThat(CommandRun.verify("log", folder).out()).isEqualTo(CommandRun.json(false, "edited", 0, SIZE));
    }

    @Test
    void findsACheckpointThatTheLogDidNotSign() throws IOException {
        // Given a key of the same name
        var other = NoteSigner.generate(SampleLog.ORIGIN, SignatureType.ED25519);
        var checkpoint = Checkpoint.parse(log.note().text());
        // When
        new FolderTileStore(folder).publish(other.sign(checkpoint, Instant.EPOCH));
        // Then
        assertThat(CommandRun.verify("log", folder))
                .isEqualTo(new CommandRun(1, CommandRun.json(false, "forged", null, null), ""));
        Files.writeString(folder.resolve("checkpoint"), "no note");
        assertThat(CommandRun.verify("log", folder).code()).isEqualTo(1);
    }

    @Test
    void acceptsASecondSignatureThatAPolicyMayRequire(@TempDir Path keys) throws IOException {
        // Given a key, and a policy that requires it
        var file = keys.resolve("ml-dsa");
        var made = CommandRun.of("audit", "key", SampleLog.ORIGIN, file);
        var second = NoteSigner.parse(Files.readString(file));
        assertThat(made).isEqualTo(new CommandRun(0, second.verifier().toString(), ""));
        var policy = Files.writeString(
                keys.resolve("policy"),
                "log " + SampleLog.KEY + "\nwitness ml-dsa " + second.verifier() + "\nquorum ml-dsa\n");
        var both = List.of("audit", "verify", "log", folder, "--policy", policy).toArray();
        assertThat(CommandRun.of(both).code()).isEqualTo(1);
        // When
        var checkpoint = Checkpoint.parse(log.note().text());
        var signed = second.sign(checkpoint, Instant.now());
        new FolderTileStore(folder).publish(log.note().with(signed.signatures()));
        // Then
        assertThat(CommandRun.of(both).code()).isZero();
        assertThat(CommandRun.verify("log", folder).code()).isZero();
        new FolderTileStore(folder).publish(signed);
        assertThat(CommandRun.of(both).code()).isEqualTo(1);
        assertThat(CommandRun.verify("log", folder).code()).isEqualTo(1);
    }

    @Test
    void aKeyFileThatExistsStaysAsItIs() throws IOException {
        var file = Files.writeString(folder.resolve("key"), "a key");

        var run = CommandRun.of("audit", "key", SampleLog.ORIGIN, file);

        assertThat(run).isEqualTo(new CommandRun(1, "", file + " exists already and is left as it is\n"));
        assertThat(Files.readString(file)).isEqualTo("a key");
        assertThat(CommandRun.of("audit", "key", "a name", folder.resolve("other"))
                        .code())
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {"deleted | leaves.remove(4)", "forged | leaves.add(leaves.get(4))", "forged | leaves.set(7, other)"
            })
    void findsLeavesThatTheServiceLeftOutOrMadeUpAndSigned(String kind, String act) {
        // Given a log that was signed as it is
        var leaves = new ArrayList<>(log.leaves);
        int bad = switch (act) {
            case "leaves.remove(4)" -> {
                leaves.remove(4);
                yield 6;
            }
            case "leaves.set(7, other)" -> {
                leaves.set(7, "{\"c\":\"none\"}".getBytes(StandardCharsets.UTF_8));
                yield 7;
            }
            default -> {
                leaves.add(leaves.get(4));
                yield SIZE;
            }
        };
        var store = new FolderTileStore(folder.resolve("signed"));
        var writer = new TileLogWriter(new Checkpoint(SampleLog.ORIGIN, 0, MerkleHash.EMPTY_TREE), store);
        writer.append(leaves);
        // When
        store.publish(SampleLog.SIGNER.sign(writer.checkpoint(), Instant.EPOCH));
        // Then
        assertThat(CommandRun.verify("log", folder.resolve("signed")).out())
                .isEqualTo(CommandRun.json(false, kind, bad, leaves.size()));
    }

    @Test
    void findsEveryFlippedBitOfAnyFile() throws IOException {
        // Given
        List<Path> files;
        try (var all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        var random = new Random(49);
        for (int edit = 0; edit < EDITS; edit++) {
            var file = files.get(random.nextInt(files.size()));
            var content = Files.readAllBytes(file);
            var changed = content.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            // When
            Files.write(file, changed);
            var run = CommandRun.verify("log", folder);
            // Then
            assertThat(run.code()).as("%s", file).isEqualTo(1);
            Files.write(file, content);
        }
        assertThat(CommandRun.verify("log", folder).code()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "log /does/not/exist",
                "log http://localhost:1/",
                "bundle /does/not/exist",
                "since /no http://localhost:1/",
                "db jdbc:postgresql://localhost:1/none",
                "mirror http://localhost:1/ /tmp"
            })
    void saysWhenItCouldNotCheck(String arguments) {
        var run = CommandRun.verify((Object[]) arguments.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEqualTo(CommandRun.json(false, "", null, null));
        assertThat(run.errors()).startsWith("Could not check: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "audit verify log",
                "audit verify log . --key nonsense",
                "audit verify logs .",
                "audit verify log . --policy /none",
                "audit verify log ."
            })
    void refusesWrongUsage(String arguments) {
        var run = CommandRun.of((Object[]) arguments
                .replace(" . ", " " + folder + " ")
                .replaceFirst(" \\.$", " " + folder)
                .split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }
}
