package dev.counterpoint.harmony;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// The bytes of every token, flat, with a table to find the id of a byte sequence. Immutable, about 5 MB.
///
/// Text ids are o200k_base's ranks, read from the file inside the jtokkit jar; control tokens follow them.
final class Vocabulary {
    static final int SIZE = SpecialTokens.LAST + 1;
    static final int NONE = -1;

    private static final int TEXT_TOKENS = SpecialTokens.FIRST;
    private static final String RESOURCE = "/com/knuddels/jtokkit/o200k_base.tiktoken";
    private static final String SHA_256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d";
    /// A load of 0.38 keeps probes short.
    private static final int TABLE_SIZE = 1 << 19;

    private final byte[] bytes;
    /// Token `i` is `bytes[starts[i] .. starts[i + 1])`.
    private final int[] starts = new int[SIZE + 1];
    private final int[] table = new int[TABLE_SIZE];
    private int longest;

    private Vocabulary(byte[] file) {
        // Base64 is longer than what it encodes, by far more than the control tokens' names take.
        var buffer = new byte[file.length];
        int end = readRanks(file, buffer);
        for (int id = TEXT_TOKENS; id < SIZE; id++) {
            var name = SpecialTokens.text(id).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(name, 0, buffer, end, name.length);
            end += name.length;
            starts[id + 1] = end;
        }
        bytes = Arrays.copyOf(buffer, end);
        Arrays.fill(table, NONE);
        for (int id = 0; id < TEXT_TOKENS; id++) {
            longest = Math.max(longest, starts[id + 1] - starts[id]);
            int slot = slot(bytes, starts[id], starts[id + 1]);
            while (table[slot] != NONE) {
                slot = (slot + 1) & (TABLE_SIZE - 1);
            }
            table[slot] = id;
        }
    }

    /// @throws IllegalStateException when the file is missing or not the one gpt-oss was trained with
    static Vocabulary load() {
        try (InputStream in = Vocabulary.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("vocabulary not on the class path: " + RESOURCE);
            }
            var file = in.readAllBytes();
            var digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(file));
            if (!digest.equals(SHA_256)) {
                throw new IllegalStateException("vocabulary has SHA-256 " + digest + ", expected " + SHA_256);
            }
            return new Vocabulary(file);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("vocabulary cannot be read", e);
        }
    }

    /// Reads lines of base64, a blank and the rank. Ranks ascend from 0 without a gap, as the checksum vouches.
    private int readRanks(byte[] file, byte[] buffer) {
        int id = 0;
        int out = 0;
        int at = 0;
        while (at < file.length) {
            int bits = 0;
            int count = 0;
            for (; file[at] != ' '; at++) {
                int value = sextet(file[at]);
                if (value < 0) {
                    continue;
                }
                bits = bits << 6 | value;
                count += 6;
                if (count >= 8) {
                    count -= 8;
                    buffer[out++] = (byte) (bits >>> count);
                }
            }
            starts[++id] = out;
            while (file[at] != '\n') {
                at++;
            }
            at++;
        }
        if (id != TEXT_TOKENS) {
            throw new IllegalStateException("vocabulary has " + id + " text tokens, expected " + TEXT_TOKENS);
        }
        return out;
    }

    private static int sextet(byte c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        if (c >= '0' && c <= '9') {
            return c - '0' + 52;
        }
        return c == '+' ? 62 : c == '/' ? 63 : NONE;
    }

    static boolean contains(int id) {
        return id >= 0 && id < SIZE;
    }

    /// All tokens' bytes. Callers only read.
    byte[] bytes() {
        return bytes;
    }

    int start(int id) {
        return starts[id];
    }

    int end(int id) {
        return starts[id + 1];
    }

    /// The text token with exactly these bytes, or {@link #NONE}.
    int find(byte[] text, int from, int to) {
        int length = to - from;
        if (length > longest) {
            return NONE;
        }
        int slot = slot(text, from, to);
        while (true) {
            int id = table[slot];
            if (id == NONE) {
                return NONE;
            }
            int start = starts[id];
            if (starts[id + 1] - start == length && Arrays.equals(text, from, to, bytes, start, start + length)) {
                return id;
            }
            slot = (slot + 1) & (TABLE_SIZE - 1);
        }
    }

    private static int slot(byte[] text, int from, int to) {
        int hash = 0x811C9DC5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ text[i]) * 0x01000193;
        }
        hash ^= hash >>> 15;
        hash *= 0x2c1b3c6d;
        return (hash ^ hash >>> 13) & (TABLE_SIZE - 1);
    }
}
