package dev.counterpoint.audit.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;

/// Reads and writes files that only their owner may read.
final class PrivateFile {
    private static final EnumSet<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private PrivateFile() {}

    /// @throws EncryptionException when the file is missing or others can read the file; the message says what to do
    static String read(Path file) {
        try {
            if (Files.getFileStore(file).supportsFileAttributeView("posix")
                    && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw new EncryptionException(file + " can be read by others; refused. Run: chmod 600 " + file);
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new EncryptionException(file + " is missing");
        } catch (IOException e) {
            throw new EncryptionException(
                    file + " cannot be read: " + e.getClass().getSimpleName());
        }
    }

    /// Replaces the file in one step, so that a crash leaves the old file or the new one.
    static void write(Path file, String text) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
