package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256, as every JDK has it. Thread-safe.
public final class Sha256 {
    private static final int BUFFER_BYTES = 1 << 16;

    private Sha256() {}

    /// A fresh one, for one thread.
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The digest in hexadecimal digits.
    public static String of(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    /// The digest of a file's content in hexadecimal digits.
    public static String of(Path file) throws IOException {
        var digest = digest();
        var buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (var in = FileChannel.open(file)) {
            while (in.read(buffer) >= 0) {
                digest.update(buffer.flip());
                buffer.clear();
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
