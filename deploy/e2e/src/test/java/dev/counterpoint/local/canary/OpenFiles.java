package dev.counterpoint.local.canary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What `/proc` tells of the files that a process has open. Empty where there is no `/proc`.
final class OpenFiles {
    private static final String DELETED = " (deleted)";

    private OpenFiles() {}

    /// @param target the file's name
    /// @param link opens it even when it was deleted
    record Open(String target, Path link) {
        boolean deleted() {
            return target.endsWith(DELETED);
        }
    }

    /// Regular files that it may write to.
    static List<Open> written(long pid) {
        var open = new ArrayList<Open>();
        var folder = Path.of("/proc", String.valueOf(pid), "fd");
        if (!Files.isDirectory(folder)) {
            return open;
        }
        try (var links = Files.list(folder)) {
            for (var link : links.toList()) {
                if (Files.isRegularFile(link) && isWritten(pid, link)) {
                    open.add(new Open(Files.readSymbolicLink(link).toString(), link));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return open;
    }

    /// The last octal digit of the flags is 1 or 2 for files that are written.
    private static boolean isWritten(long pid, Path link) throws IOException {
        var info = Path.of(
                "/proc", String.valueOf(pid), "fdinfo", link.getFileName().toString());
        return Files.readAllLines(info).stream().anyMatch(line -> line.matches("flags:\\s+[0-7]*[1-3]"));
    }

    /// The file of a JVM's performance counters, which lies in `/tmp` wherever its temporary files go.
    static Optional<Path> counters(long pid) {
        var file = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"), String.valueOf(pid));
        return Optional.of(file).filter(Files::isReadable);
    }
}
