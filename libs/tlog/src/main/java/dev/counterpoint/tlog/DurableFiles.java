package dev.counterpoint.tlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Writes whole files so that a reader, or a restart after a crash, finds the old content or the new one. One
/// process writes a file at a time. Methods throw [UncheckedIOException] when the file system fails.
final class DurableFiles {
    private DurableFiles() {}

    /// The content of a file, empty when there is none.
    static Optional<byte[]> read(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Replaces files one by one and creates their folders. All survive a crash after this call has returned.
    static void write(Map<Path, byte[]> files) {
        try {
            var changed = new HashSet<Path>();
            for (var file : files.entrySet()) {
                var target = file.getKey().toAbsolutePath();
                var folder = Objects.requireNonNull(target.getParent(), "a file has a folder");
                // A new folder is durable when the folder that holds it is.
                for (var at = folder; at != null && changed.add(at) && Files.notExists(at); ) {
                    at = at.getParent();
                }
                Files.createDirectories(folder);
                var temporary = target.resolveSibling(target.getFileName() + ".tmp");
                Files.write(temporary, file.getValue());
                sync(temporary);
                Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            for (var folder : changed) {
                sync(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path)) {
            channel.force(true);
        }
    }
}
