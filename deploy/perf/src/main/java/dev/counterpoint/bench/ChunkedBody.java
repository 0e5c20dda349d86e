package dev.counterpoint.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// A request's body in chunks of HTTP/1.1.
final class ChunkedBody {
    private static final int RADIX = 16;

    private ChunkedBody() {}

    static byte[] all(InputStream in) throws IOException {
        var body = new ByteArrayOutputStream();
        int size = size(in);
        while (size > 0) {
            body.write(in.readNBytes(size));
            line(in);
            size = size(in);
        }
        line(in);
        return body.toByteArray();
    }

    private static int size(InputStream in) throws IOException {
        return sizeOf(line(in));
    }

    /// What a chunk's first line says; extensions are passed over.
    static int sizeOf(String line) throws IOException {
        int end = line.indexOf(';');
        try {
            return Integer.parseInt((end < 0 ? line : line.substring(0, end)).strip(), RADIX);
        } catch (NumberFormatException damaged) {
            throw new IOException("not a chunk's size", damaged);
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
