package dev.counterpoint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.counterpoint.auditlog.SortedJson;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.FolderTileStore;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `counterpoint audit verify bundle`, beside the verifier in Python.
class VerifyBundleTest {
    private static final int SIZE = 700;
    private static final List<Integer> CHOSEN = List.of(0, 3, 4, 5, 6, 130, 256, 511, 512, 699);
    private static final int MUTATIONS = 50 * Integer.getInteger("scale", 1);
    private static final long MINUTES_MAX = 5;
    private static final String PYTHON = "../examples/python/verify_log.py";

    @TempDir
    Path folder;

    private SampleLog log;
    private Path bundle;

    @BeforeEach
    void write() throws IOException {
        log = new SampleLog("a", SIZE);
        bundle = log.bundle(folder.resolve("bundle.zip"), CHOSEN);
    }

    @Test
    void acceptsABundleForAKeyThatItsReaderBrings() {
        assertThat(CommandRun.verify("bundle", bundle))
                .isEqualTo(new CommandRun(0, CommandRun.json(true, "", null, SIZE), ""));

        assertThat(CommandRun.of("audit", "verify", "bundle", bundle, "--key", SampleLog.KEY)
                        .out())
                .isEqualTo("good, 10 rows, 700 leaves");
        assertThat(CommandRun.of("audit", "verify", "bundle", bundle).errors()).contains("Missing --key or --policy");
    }

    @Test
    void unpacksNoFileOfMoreThan64MiB() throws Exception {
        var files = MutatedBundle.read(bundle);
        files.put("notes.txt", new byte[(1 << 26) + 1]);
        var bomb = new MutatedBundle(files, new Random(1));
        bomb.list();
        bomb.write(bundle);

        assertThat(CommandRun.verify("bundle", bundle).code()).isEqualTo(2);
        assumeTrue(python("-c", "import cryptography").code() == 0, "skipped: no Python with cryptography");
        assertThat(python(PYTHON, "bundle", bundle.toString(), "--key", SampleLog.KEY)
                        .code())
                .isEqualTo(2);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "edited | 130 | events/130.json",
                "edited | 3 | records/3.json",
                "edited | 5 | leaves/5.tlog-proof",
                "edited | 6 | leaves/6.json",
                "forged | null | checkpoint",
                "edited | null | notes.txt",
                "edited | null | policy",
                "edited | null | manifest.json"
            })
    void namesTheFirstRowOfAChangedFile(String kind, String firstBad, String name) throws IOException {
        var files = MutatedBundle.read(bundle);
        var content = Objects.requireNonNull(files.get(name)).clone();
        content[content.length - 3] ^= 1;
        files.put(name, content);
        new MutatedBundle(files, new Random(1)).write(bundle);

        var size = kind.equals("forged") ? null : SIZE;
        assertThat(CommandRun.verify("bundle", bundle).out()).isEqualTo(CommandRun.json(false, kind, firstBad, size));
    }

    @Test
    void acceptsARowWithoutThePartsThatAnErasureTakes() throws Exception {
        var without = without(SampleLog.COVERED);
        without.write(bundle);
        // The manifest knows what the bundle had.
        assertThat(CommandRun.verify("bundle", bundle).out()).isEqualTo(CommandRun.json(false, "edited", null, SIZE));

        without.list();
        without.write(bundle);
        assertThat(CommandRun.verify("bundle", bundle).out()).isEqualTo(CommandRun.json(true, "", null, SIZE));
        agreesWithPython(bundle);
    }

    @Test
    void wantsAnEventThatCoversARowWithoutItsPersonalPart() throws Exception {
        var without = without(5);
        without.list();
        without.write(bundle);

        assertThat(CommandRun.verify("bundle", bundle).out()).isEqualTo(CommandRun.json(false, "deleted", "5", SIZE));
        agreesWithPython(bundle);
    }

    /// The bundle with a record that has neither its personal part nor its content.
    private MutatedBundle without(int index) throws IOException {
        var files = MutatedBundle.read(bundle);
        var name = "records/" + index + ".json";
        var row = new String(files.get(name), StandardCharsets.UTF_8);
        var plain = new TreeMap<String, Object>(Map.of(
                "row", SortedJson.read(row).get("row").asText(),
                "salt", SortedJson.read(row).get("salt").asText()));
        files.put(name, SortedJson.of(plain).getBytes(StandardCharsets.UTF_8));
        return new MutatedBundle(files, new Random(1));
    }

    @Test
    void agreesWithTheVerifierInPython() throws Exception {
        assumeTrue(python("-c", "import cryptography").code() == 0, "skipped: no Python with cryptography");
        var random = new Random(49);
        var original = MutatedBundle.read(bundle);
        var done = new ArrayList<String>();
        var expected = new ArrayList<String>();
        var arguments = new ArrayList<>(List.of(PYTHON, "bundle", "--key", SampleLog.KEY, bundle.toString()));
        expected.add(CommandRun.verify("bundle", bundle).out());
        done.add("none");
        for (int i = 0; i < MUTATIONS; i++) {
            var mutated = new MutatedBundle(new TreeMap<>(original), random);
            done.add(mutated.mutate());
            var file = mutated.write(folder.resolve(i + ".zip"));
            if (random.nextInt(40) == 0) {
                var bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            }
            var run = CommandRun.verify("bundle", file);
            expected.add(run.out());
            arguments.add(file.toString());
            // Whatever was changed, no other row is accepted.
            if (run.code() == 0) {
                mutated.files()
                        .forEach((name, content) -> assertThat(rows(name, content))
                                .as("%s of %s", name, done.getLast())
                                .isEqualTo(rows(name, original.getOrDefault(name, content))));
            }
        }
        var answers = python(arguments.toArray(String[]::new)).out().lines().toList();
        assertThat(answers).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(answers.get(i)).as("mutation %s", done.get(i)).isEqualTo(expected.get(i));
        }
        assertThat(expected.stream().distinct()).hasSizeGreaterThan(10);
    }

    private static String rows(String name, byte[] content) {
        return name.startsWith("records/") || name.startsWith("events/")
                ? SortedJson.read(new String(content, StandardCharsets.UTF_8))
                        .get("row")
                        .asText()
                : "";
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "good,none",
        "good,second signature",
        "forged,first signature",
        "edited,tile/entries/001",
        "edited,tile/0/001",
        "deleted,tile/0/001",
        "truncated,tile/entries/002.p/188",
        "deleted,tile/entries/001",
        "forged,checkpoint"
    })
    void agreesWithTheVerifierInPythonAboutLogs(String kind, String name) throws Exception {
        assumeTrue(python("-c", "import cryptography").code() == 0, "skipped: no Python with cryptography");
        var place = Files.createDirectory(folder.resolve("log"));
        log.write(place);
        if (name.endsWith(" signature")) {
            var second = NoteSigner.generate(SampleLog.ORIGIN, SignatureType.ML_DSA_44)
                    .sign(Checkpoint.parse(log.note().text()), Instant.EPOCH);
            new FolderTileStore(place).publish(kind.equals("good") ? log.note().with(second.signatures()) : second);
        } else if (kind.equals("deleted") || kind.equals("truncated")) {
            Files.delete(place.resolve(name));
        } else if (!kind.equals("good")) {
            var content = Files.readAllBytes(place.resolve(name));
            content[content.length / 2] ^= 1;
            Files.write(place.resolve(name), content);
        }

        var run = CommandRun.verify("log", place);

        assertThat(run.out()).contains(kind.equals("good") ? "true" : kind);
        assertThat(python(PYTHON, "log", place.toString(), "--key", SampleLog.KEY))
                .isEqualTo(new CommandRun(run.code(), run.out(), ""));
    }

    private void agreesWithPython(Path file) throws Exception {
        assumeTrue(python("-c", "import cryptography").code() == 0, "skipped: no Python with cryptography");
        assertThat(python(PYTHON, "bundle", file.toString(), "--key", SampleLog.KEY)
                        .out())
                .isEqualTo(CommandRun.verify("bundle", file).out());
    }

    private CommandRun python(String... arguments) throws Exception {
        var output = folder.resolve("output");
        var command = Stream.concat(Stream.of("python3"), Stream.of(arguments)).toList();
        try {
            var process = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
            return new CommandRun(process.exitValue(), Files.readString(output).strip(), "");
        } catch (IOException e) {
            return new CommandRun(-1, "", "no python3");
        }
    }
}
