package dev.counterpoint.harmony.tokenizer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Eight bytes of text as one `long`, the first byte lowest: what the tokenizer compares, hashes and copies by.
final class PackedBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long SEVEN_BITS = 0x7F7F7F7F7F7F7F7FL;

    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final long SPREAD_FIRST = 0xC2B2AE3D27D4EB4FL;

    private PackedBytes() {}

    /// The eight bytes from here; zeros beyond the end.
    static long at(byte[] text, int at) {
        return at <= text.length - Long.BYTES ? (long) LONG.get(text, at) : last(text, at);
    }

    private static long last(byte[] text, int at) {
        long word = 0;
        for (int i = text.length - 1; i >= at; i--) {
            word = word << 8 | text[i] & 0xFF;
        }
        return word;
    }

    static void put(byte[] target, int at, long word) {
        LONG.set(target, at, word);
    }

    /// The first bytes of a word, the rest zero. Fewer than eight.
    static long first(long word, int bytes) {
        return word & (1L << (bytes << 3)) - 1;
    }

    /// The high bits are the good ones.
    static long hash(long word) {
        return word * SPREAD;
    }

    /// The high bits are the good ones.
    static long hash(long first, long second) {
        return (first * SPREAD_FIRST ^ second) * SPREAD;
    }

    /// How many bytes at the start of a word are ASCII letters in lower case.
    static int lowerCaseLetters(long word) {
        long low = word & SEVEN_BITS;
        long fromA = low + (0x80 - 'a') * ONES;
        long beyondZ = low + (0x7F - 'z') * ONES;
        return Long.numberOfTrailingZeros(~(fromA & ~beyondZ & ~word) & HIGH_BITS) >>> 3;
    }
}
