package dev.counterpoint.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Folders for the data of servers under test; each disappears with this JVM, even when that is killed.
public final class ScratchFolder {
    private static final Path MEMORY = Path.of("/dev/shm");
    /// Docker's default of 64 MiB is too small for two servers.
    private static final long MEMORY_NEEDED = 1L << 30;

    /// Waits for the end of its input, which comes when this JVM is gone; ignores the Ctrl-C that ends this JVM.
    /// A PostgreSQL that is still there is told to quit at once.
    private static final String CLEANUP = """
            trap '' INT TERM HUP
            cat > /dev/null
            [ -f "$1/data/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")" && sleep 0.3
            rm -rf "$1"
            """;

    private ScratchFolder() {}

    /// A new, empty folder, in memory where there is enough of it, else below `target`.
    public static Path folder(String name) {
        try {
            Path parent = parent();
            Files.createDirectories(parent);
            Path folder = Files.createTempDirectory(parent, "counterpoint-" + name + "-")
                    .toAbsolutePath();
            new ProcessBuilder("sh", "-c", CLEANUP, "sh", folder.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path parent() throws IOException {
        boolean memory = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > MEMORY_NEEDED;
        return memory ? MEMORY : Path.of("target", "testkit");
    }
}
