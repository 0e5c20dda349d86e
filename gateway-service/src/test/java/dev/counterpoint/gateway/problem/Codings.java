package dev.counterpoint.gateway.problem;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HexFormat;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/// Bodies as clients send them in a coding.
final class Codings {
    /// `{"a":1}`, by the encoder of Node.js.
    static final byte[] BROTLI = HexFormat.of().parseHex("0b03807b2261223a317d03");

    private Codings() {}

    static byte[] gzip(byte[] plain) throws IOException {
        return written(plain, GZIPOutputStream::new);
    }

    static byte[] deflate(byte[] plain) throws IOException {
        return written(plain, DeflaterOutputStream::new);
    }

    static byte[] zstd(byte[] plain) throws IOException {
        return written(plain, ZstdOutputStream::new);
    }

    private interface Encoder {
        OutputStream of(OutputStream out) throws IOException;
    }

    private static byte[] written(byte[] plain, Encoder encoder) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = encoder.of(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }
}
