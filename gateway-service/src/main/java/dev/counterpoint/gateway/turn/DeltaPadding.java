package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.openai.json.WireJson;
import java.util.List;

/// Makes the deltas of a stream alike in size, so that an observer of encrypted records' lengths does not see
/// those of tokens: what a delta says is filled up to a multiple of [#BLOCK] bytes with random characters.
///
/// The characters are a pure function of the response's id, which holds 128 random bits, and of the delta's number, so
/// that a stream that is sent again has the same bytes. Immutable, thread-safe.
public final class DeltaPadding {
    /// Bytes; more than nearly every token has.
    static final int BLOCK = 32;

    private static final char[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray();
    private static final int BITS = 6;
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private final long seed;

    public DeltaPadding(ResponseId id) {
        seed = mix(id.high() + STEP) ^ id.low();
    }

    /// The padding of a delta.
    ///
    /// @param number that no other delta of the stream has
    /// @param bytes that the delta has on the wire
    public String of(long number, int bytes) {
        int length = Math.floorMod(-bytes, BLOCK);
        var text = new StringBuilder(length);
        long state = mix(seed + number * STEP);
        long bits = 0;
        for (int left = 0; text.length() < length; left -= BITS, bits >>>= BITS) {
            if (left < BITS) {
                state += STEP;
                bits = mix(state);
                left = Long.SIZE;
            }
            text.append(ALPHABET[(int) bits & (ALPHABET.length - 1)]);
        }
        return text.toString();
    }

    /// Bytes of a text within a JSON string.
    public static int size(String text) {
        int size = 0;
        for (int i = 0; i < text.length(); i++) {
            size += size(text.charAt(i));
        }
        return size;
    }

    /// Bytes of values as JSON; none for an empty list, which is there for every delta.
    public static int size(List<?> values) {
        return values.isEmpty() ? 0 : WireJson.writeBytes(values).length;
    }

    private static int size(char c) {
        if (c < ' ') {
            return "\b\t\n\f\r".indexOf(c) >= 0 ? 2 : 6;
        }
        if (c < 0x80) {
            return c == '"' || c == '\\' ? 2 : 1;
        }
        if (Character.isSurrogate(c)) {
            return 6; // Jackson escapes it
        }
        return c < 0x800 ? 2 : 3;
    }

    /// The finisher of SplitMix64.
    private static long mix(long x) {
        long z = (x ^ x >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }
}
