package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;
import org.apache.commons.io.file.PathUtils;

/// A package with a known hash: downloaded once, checked before it is unpacked, kept.
///
/// One process at a time downloads into a cache; the others wait for it. A download that broke continues at the next
/// call. The folder appears whole or not at all.
///
/// @param cache folder of folders like this one
/// @param folder name of the unpacked package
/// @param sha256 of the archive
record PinnedPackage(Path cache, String folder, String sha256) {
    /// Finds where the archive is. Called only when it is needed.
    interface Address {
        URI find() throws IOException;
    }

    /// Writes the files that are wanted.
    interface Unpacking {
        void unpack(Path archive, Path folder) throws IOException;
    }

    /// The unpacked folder.
    Path install(Address address, LongConsumer progress, Unpacking unpacking) throws IOException {
        var target = cache.resolve(folder);
        if (Files.isDirectory(target)) {
            return target;
        }
        Files.createDirectories(cache);
        synchronized (PinnedPackage.class) { // a file lock is between processes only
            var lock = cache.resolve(".lock");
            try (var channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var _ = channel.lock()) {
                if (!Files.isDirectory(target)) {
                    var archive = cache.resolve("." + folder + ".part");
                    Download.into(archive, address.find(), progress);
                    unpack(archive, unpacking, target);
                }
            }
        }
        return target;
    }

    /// Keeps nothing of an archive with another hash: the next download begins again.
    private void unpack(Path archive, Unpacking unpacking, Path target) throws IOException {
        var work = Files.createTempDirectory(cache, ".unpack-");
        try {
            check(archive, sha256);
            var unpacked = Files.createDirectory(work.resolve("unpacked"));
            unpacking.unpack(archive, unpacked);
            Files.move(unpacked, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.delete(archive);
            PathUtils.deleteDirectory(work);
        }
    }

    /// @param sha256 in hexadecimal digits
    static void check(Path file, String sha256) throws IOException {
        var actual = new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(file);
        if (!actual.equals(sha256)) {
            throw new IOException(
                    file.getFileName() + " has SHA-256 " + actual + " instead of " + sha256 + "; it is not used");
        }
    }
}
