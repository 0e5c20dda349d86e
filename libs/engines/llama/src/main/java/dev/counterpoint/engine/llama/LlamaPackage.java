package dev.counterpoint.engine.llama;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/// The pinned npm package that holds libllama: downloaded once, checked before it is unpacked, kept.
///
/// Only files whose names are expected are unpacked, each straight into one folder, so that nothing in the
/// archive decides where a file goes. The folder appears whole or not at all.
final class LlamaPackage {
    static final String SHA256 = "0d953e1503d5ab4608d8ed5b739132308c81ac05ffeb760d2a7f30e08a9f90e0";
    static final String PATH = "@node-llama-cpp/linux-x64/-/linux-x64-3.22.1.tgz";

    private static final String FOLDER = "node-llama-cpp-linux-x64-3.22.1";
    private static final Pattern WANTED = Pattern.compile("package/(?:bins/linux-x64/"
            + "(?<library>lib(?:llama|ggml)(?!-common)[A-Za-z0-9._-]*\\.so)|(?<licence>LICENSE))");
    private static final long UNPACKED_BYTES_MAX = 100L << 20;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration DOWNLOAD_TIMEOUT = Duration.ofMinutes(5);

    private final URI registry;
    private final Path cache;
    private final String sha256;

    LlamaPackage(URI registry, Path cache) {
        this(registry, cache, SHA256);
    }

    LlamaPackage(URI registry, Path cache, String sha256) {
        this.registry = registry;
        this.cache = cache;
        this.sha256 = sha256;
    }

    /// The folder with the unpacked libraries.
    Path install() {
        var target = cache.resolve(FOLDER);
        if (Files.isDirectory(target)) {
            return target;
        }
        try {
            Files.createDirectories(cache);
            var work = Files.createTempDirectory(cache, ".fetch-");
            try {
                var archive = work.resolve("package.tgz");
                download(archive);
                check(archive);
                var unpacked = Files.createDirectory(work.resolve("unpacked"));
                unpack(archive, unpacked);
                publish(unpacked, target);
            } finally {
                delete(work);
            }
        } catch (IOException e) {
            throw new LlamaUnavailableException("libllama cannot be put into " + cache + ": " + e, e);
        }
        return target;
    }

    private void download(Path archive) {
        var address = registry.resolve(PATH);
        try (var http = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            var request =
                    HttpRequest.newBuilder(address).timeout(DOWNLOAD_TIMEOUT).build();
            var response = http.send(request, BodyHandlers.ofFile(archive));
            if (response.statusCode() != 200) {
                throw new LlamaUnavailableException(
                        "libllama cannot be downloaded: " + address + " answers " + response.statusCode());
            }
        } catch (IOException e) {
            throw new LlamaUnavailableException(
                    "libllama cannot be downloaded from " + address + " (" + e + "); a mirror can be named by "
                            + LibrarySource.REGISTRY_VARIABLE,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LlamaUnavailableException("interrupted while downloading libllama", e);
        }
    }

    private void check(Path archive) throws IOException {
        var actual = Sha256.of(Files.readAllBytes(archive));
        if (!actual.equals(sha256)) {
            throw new LlamaUnavailableException("the package of libllama from " + registry + " has SHA-256 " + actual
                    + " instead of " + sha256 + "; it is not used");
        }
    }

    private static void unpack(Path archive, Path folder) throws IOException {
        try (var tar = new TarArchiveInputStream(
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive))))) {
            long bytes = 0;
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                var name = WANTED.matcher(entry.getName());
                if (!name.matches() || !entry.isFile()) {
                    continue;
                }
                bytes += entry.getSize();
                if (bytes > UNPACKED_BYTES_MAX) {
                    throw new IOException("the package is larger than " + UNPACKED_BYTES_MAX + " bytes");
                }
                var library = name.group("library");
                copy(tar, folder.resolve(library == null ? name.group("licence") : library));
            }
        }
    }

    private static void copy(InputStream in, Path file) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            in.transferTo(out);
        }
    }

    private static void publish(Path unpacked, Path target) throws IOException {
        try {
            Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(target)) { // else another worker was faster
                throw e;
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
