package dev.counterpoint.bus.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;

/// A file with a secret: only its owner may read and write it.
public final class PrivateFile {
    private static final EnumSet<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private PrivateFile() {}

    /// Its text.
    ///
    /// @throws SealException when the file is missing, others may read or write it, or it cannot be read
    public static String read(Path file) {
        try {
            if (Files.getFileStore(file).supportsFileAttributeView("posix")
                    && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw new SealException(file + " can be read by others; refused. Run: chmod 600 " + file);
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new SealException(file + " is missing");
        } catch (IOException e) {
            throw new SealException(file + " cannot be read: " + e.getClass().getSimpleName());
        }
    }

    /// Writes the file in one step, so that a crash leaves either the old file or the new one.
    public static void write(Path file, String text) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, OWNER_ONLY);
        Files.writeString(fresh, text, UTF_8, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
