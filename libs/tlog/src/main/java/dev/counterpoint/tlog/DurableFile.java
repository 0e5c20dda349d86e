package dev.counterpoint.tlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Writes whole files so that a reader, or a restart after a crash, finds the old content or the new one.
public final class DurableFile {
    private static final String TEMPORARY = ".tmp";

    private DurableFile() {}

    /// Replaces one file; its folders are made.
    ///
    /// @param file file to write; nobody else writes it at the same time
    /// @param content new content
    /// @throws IOException when the file system fails
    public static void write(Path file, byte[] content) throws IOException {
        writeAll(Map.of(file, content));
    }

    static void writeAll(Map<Path, byte[]> files) throws IOException {
        var changed = new HashSet<Path>();
        for (var file : files.entrySet()) {
            var folder = file.getKey().toAbsolutePath().getParent();
            createFolders(folder, changed);
            var temporary = folder.resolve(file.getKey().getFileName() + TEMPORARY);
            try (var channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                var bytes = ByteBuffer.wrap(file.getValue());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file.getKey(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            changed.add(folder);
        }
        for (var folder : changed) {
            sync(folder);
        }
    }

    /// A new folder is durable when the folder that holds it is.
    private static void createFolders(Path folder, Set<Path> changed) throws IOException {
        for (var at = folder; at != null && !Files.isDirectory(at); at = at.getParent()) {
            var parent = at.getParent();
            if (parent != null) {
                changed.add(parent);
            }
        }
        Files.createDirectories(folder);
    }

    private static void sync(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
