package dev.counterpoint.bus;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/// Names a response and finds its log: the id carries when it was accepted and which partition of `frames` holds
/// it, so that any replica can read it without asking anybody. 48 hexadecimal digits, unguessable by 128 random bits.
///
/// @param acceptedAtMillis milliseconds since 1970, 48 bits
/// @param partition of the topic `frames`, 0 to 65,535
/// @param high random bits
/// @param low random bits
public record ResponseId(long acceptedAtMillis, int partition, long high, long low) {
    /// The length of an id in binary.
    public static final int BYTES = 24;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final HexFormat HEX = HexFormat.of();
    private static final int DIGITS = 48;
    private static final int CALL_BYTES = 12;

    public ResponseId {
        if (acceptedAtMillis >>> 48 != 0 || partition >>> 16 != 0) {
            throw new IllegalArgumentException("time or partition out of range");
        }
    }

    public static ResponseId create(long acceptedAtMillis, int partition) {
        return new ResponseId(acceptedAtMillis, partition, RANDOM.nextLong(), RANDOM.nextLong());
    }

    /// The id of an output item that is reasoning.
    public String reasoningItem(int outputIndex) {
        return "rs_" + this + HEX.toHexDigits(outputIndex, 4);
    }

    /// Reads 48 hexadecimal digits; empty for anything else.
    public static Optional<ResponseId> parse(String text) {
        if (text.length() != DIGITS || !isLowerHex(text)) {
            return Optional.empty();
        }
        long head = HexFormat.fromHexDigitsToLong(text, 0, 16);
        return Optional.of(new ResponseId(
                head >>> 16,
                (int) (head & 0xFFFF),
                HexFormat.fromHexDigitsToLong(text, 16, 32),
                HexFormat.fromHexDigitsToLong(text, 32, 48)));
    }

    /// Reads what [#bytes] wrote.
    ///
    /// @param from position of the first of [#BYTES] bytes
    public static ResponseId read(byte[] bytes, int from) {
        var in = ByteBuffer.wrap(bytes, from, BYTES);
        long head = in.getLong();
        return new ResponseId(head >>> 16, (int) (head & 0xFFFF), in.getLong(), in.getLong());
    }

    /// The id in binary; no two ids have the same bytes.
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(head())
                .putLong(high)
                .putLong(low)
                .array();
    }

    private long head() {
        return acceptedAtMillis << 16 | partition;
    }

    private static boolean isLowerHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            boolean letter = c >= 'a' && c <= 'f';
            if (!digit && !letter) {
                return false;
            }
        }
        return true;
    }

    /// The id of a call that the model makes; short, because some clients allow it 40 characters.
    ///
    /// @param message ordinal of the model's message that holds the call
    public String call(int message) {
        try {
            var digest = MessageDigest.getInstance("SHA-256")
                    .digest(("call|" + this + "|" + message).getBytes(StandardCharsets.UTF_8));
            return "call_" + HEX.formatHex(digest, 0, CALL_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return HEX.toHexDigits(head()) + HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }
}
