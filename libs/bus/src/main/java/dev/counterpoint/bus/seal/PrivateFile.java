package dev.counterpoint.bus.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
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
    /// @throws SealException when others may read or write the file
    public static String read(Path file) throws IOException {
        var view = Files.getFileStore(file);
        if (view.supportsFileAttributeView("posix")
                && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
            throw new SealException(file + " can be read by others; refused. Run: chmod 600 " + file);
        }
        return Files.readString(file);
    }

    /// Writes all of it or nothing, in place of what was there.
    public static void write(Path file, String text) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, OWNER_ONLY);
        Files.writeString(fresh, text, UTF_8, StandardOpenOption.WRITE);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
