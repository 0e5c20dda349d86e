package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LlamaPackageTest {
    @TempDir
    Path cache;

    private HttpServer registry;
    private byte[] archive = new byte[0];
    private int downloads;

    @BeforeEach
    void startRegistry() throws IOException {
        registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/npm/" + LlamaPackage.PATH, exchange -> {
            downloads++;
            exchange.sendResponseHeaders(200, archive.length);
            exchange.getResponseBody().write(archive);
            exchange.close();
        });
        registry.start();
    }

    @AfterEach
    void stopRegistry() {
        registry.stop(0);
    }

    @Test
    void unpacksOnlyWhatIsNeededAndOnlyOnce() throws IOException {
        archive = tar(Map.of(
                "package/bins/linux-x64/libllama.v0.5.0.so", "llama",
                "package/bins/linux-x64/libggml-cpu-zen4.so", "zen4",
                "package/bins/linux-x64/libllama-common.so", "not needed",
                "package/bins/linux-x64/llama-addon.node", "not needed",
                "package/LICENSE", "MIT"));

        var folder = npm(sha256(archive)).install();
        var again = npm(sha256(archive)).install();

        assertThat(again).isEqualTo(folder);
        assertThat(downloads).isEqualTo(1);
        assertThat(names(folder)).containsExactlyInAnyOrder("libllama.v0.5.0.so", "libggml-cpu-zen4.so", "LICENSE");
        assertThat(folder.resolve("libllama.v0.5.0.so")).hasContent("llama");
        assertThat(names(cache)).containsExactly(folder.getFileName().toString());
    }

    @Test
    void letsNothingInTheArchiveDecideWhereAFileGoes() throws IOException {
        archive = tar(Map.of(
                "../libllama.so", "outside",
                "package/bins/linux-x64/../../../../libllama.so", "outside",
                "/tmp/libllama.so", "outside",
                "package/bins/linux-x64/libllama/../../x.so", "outside",
                "package/bins/linux-x64/libggml.so", "inside"));

        var folder = npm(sha256(archive)).install();

        assertThat(names(folder)).containsExactly("libggml.so");
        assertThat(names(cache)).containsExactly(folder.getFileName().toString());
    }

    @Test
    void usesNothingOfAPackageWithAnotherHash() throws IOException {
        archive = tar(Map.of("package/bins/linux-x64/libllama.so", "not the one"));

        assertThatThrownBy(() -> npm(LlamaPackage.SHA256).install())
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageContaining("has SHA-256 " + sha256(archive) + " instead of " + LlamaPackage.SHA256);
        assertThat(names(cache)).isEmpty();
    }

    @Test
    void saysWhatTheRegistryAnswers() {
        registry.removeContext("/npm/" + LlamaPackage.PATH);

        assertThatThrownBy(() -> npm(LlamaPackage.SHA256).install())
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageContaining("linux-x64-3.22.1.tgz answers 404");
    }

    @Test
    void saysThatThereIsNoNetworkAndWhatHelps() throws IOException {
        registry.stop(0);

        assertThatThrownBy(() -> npm(LlamaPackage.SHA256).install())
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageContaining("cannot be downloaded from http://")
                .hasMessageContaining(LibrarySource.REGISTRY_VARIABLE);
        assertThat(names(cache)).isEmpty();
    }

    private LlamaPackage npm(String sha256) {
        var address = registry.getAddress();
        return new LlamaPackage(URI.create("http://localhost:" + address.getPort() + "/npm/"), cache, sha256);
    }

    private static byte[] tar(Map<String, String> files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (var file : new TreeMap<>(files).entrySet()) {
                var content = file.getValue().getBytes(StandardCharsets.UTF_8);
                var entry = new TarArchiveEntry(file.getKey(), true);
                entry.setSize(content.length);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static String[] names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(".lock"))
                    .toArray(String[]::new);
        }
    }
}
