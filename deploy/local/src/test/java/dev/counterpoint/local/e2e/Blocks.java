package dev.counterpoint.local.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The blocks of a stream as they are on the wire, comments left out, which come when they come.
final class Blocks implements AutoCloseable {
    private final InputStream stream;

    Blocks(InputStream stream) {
        this.stream = stream;
    }

    /// The next so many, or fewer when the stream ends before.
    List<String> next(int most) {
        var blocks = new ArrayList<String>();
        try {
            var block = new StringBuilder();
            while (blocks.size() < most) {
                int read = stream.read();
                if (read < 0) {
                    break;
                }
                block.append((char) read);
                if (block.length() > 1 && read == '\n' && block.charAt(block.length() - 2) == '\n') {
                    if (block.charAt(0) != ':') {
                        blocks.add(utf8(block));
                    }
                    block.setLength(0);
                }
            }
            return blocks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All that are left.
    List<String> rest() {
        return next(Integer.MAX_VALUE);
    }

    private static String utf8(CharSequence bytes) {
        return new String(bytes.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
