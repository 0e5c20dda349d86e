package dev.counterpoint.engine.llama;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The beginning of a file, read forwards, numbers with the lowest byte first.
final class GgufInput implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int TEXT_BYTES_MAX = 1 << 24;

    private final InputStream in;
    private final long length;
    private long position;

    GgufInput(Path file) throws IOException {
        this.length = Files.size(file);
        this.in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    }

    long length() {
        return length;
    }

    /// A number of so many bytes.
    long number(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            int read = in.read();
            if (read < 0) {
                throw new EOFException();
            }
            value |= (long) read << (Byte.SIZE * i);
        }
        position += bytes;
        return value;
    }

    String text() throws IOException {
        long bytes = number(Long.BYTES);
        if (bytes < 0 || bytes > TEXT_BYTES_MAX) {
            throw new IOException("a text has " + bytes + " bytes");
        }
        var text = in.readNBytes((int) bytes);
        if (text.length < bytes) {
            throw new EOFException();
        }
        position += bytes;
        return new String(text, StandardCharsets.UTF_8);
    }

    void skip(long bytes) throws IOException {
        if (bytes < 0 || bytes > length - position) {
            throw new EOFException();
        }
        in.skipNBytes(bytes);
        position += bytes;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
