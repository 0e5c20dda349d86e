package dev.counterpoint.engine.llama;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/// The npm package that holds libllama.
///
/// Only files whose names are expected are unpacked, each straight into one folder, so that nothing in the
/// archive decides where a file goes.
///
/// @param registry address of the npm registry
/// @param cache folder that keeps it
record LlamaPackage(URI registry, Path cache, String sha256) {
    static final String SHA256 = "0d953e1503d5ab4608d8ed5b739132308c81ac05ffeb760d2a7f30e08a9f90e0";
    static final String PATH = "@node-llama-cpp/linux-x64/-/linux-x64-3.22.1.tgz";

    private static final String FOLDER = "node-llama-cpp-linux-x64-3.22.1";
    private static final Pattern WANTED = Pattern.compile("package/(?:bins/linux-x64/"
            + "(?<library>lib(?:llama|ggml)(?!-common)[A-Za-z0-9._-]*\\.so)|(?<licence>LICENSE))");
    private static final long UNPACKED_BYTES_MAX = 100L << 20;

    LlamaPackage(URI registry, Path cache) {
        this(registry, cache, SHA256);
    }

    /// The folder with the unpacked libraries.
    Path install() {
        var address = registry.resolve(PATH);
        try {
            return new PinnedPackage(cache, FOLDER, sha256).install(() -> address, _ -> {}, LlamaPackage::unpack);
        } catch (IOException e) {
            throw new LlamaUnavailableException(
                    "libllama cannot be downloaded from " + address + " into " + cache + " (" + e
                            + "); a mirror can be named by " + LibrarySource.REGISTRY_VARIABLE,
                    e);
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
                Files.copy(tar, folder.resolve(library == null ? name.group("licence") : library));
            }
        }
    }
}
