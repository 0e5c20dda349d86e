package dev.counterpoint.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Strict readers of the texts that C2SP's formats are made of. Only the one canonical form of a value is
/// accepted, so no two texts mean the same.
public final class Encoding {
    private static final int DIGITS_MAX = 19;

    private Encoding() {}

    /// Decodes standard base64 with padding (RFC 4648, section 4).
    ///
    /// @param text the base64 text
    /// @return the bytes
    /// @throws InvalidLogException for text that is not exactly what encoding the bytes gives
    public static byte[] decodeBase64(String text) {
        try {
            var bytes = Base64.getDecoder().decode(text);
            if (Base64.getEncoder().encodeToString(bytes).equals(text)) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        throw new InvalidLogException("not base64 in its canonical form");
    }

    /// Reads an ASCII decimal without sign or leading zeroes, at most 2^63 - 1.
    ///
    /// @param text the digits
    /// @return the number
    /// @throws InvalidLogException for other text
    public static long decodeDecimal(String text) {
        var canonical = !text.isEmpty()
                && text.length() <= DIGITS_MAX
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && (text.length() == 1 || text.charAt(0) != '0');
        try {
            if (canonical) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            // Above 2^63 - 1: refused below.
        }
        throw new InvalidLogException("not a decimal number in its canonical form");
    }

    /// Decodes UTF-8 that holds no control character but newline, as signed notes demand.
    ///
    /// @param bytes the encoded text
    /// @return the text
    /// @throws InvalidLogException for malformed UTF-8 or a control character below U+0020
    public static String decodeText(byte[] bytes) {
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.chars().allMatch(c -> c >= ' ' || c == '\n')) {
                return text;
            }
        } catch (CharacterCodingException e) {
            throw new InvalidLogException("not valid UTF-8");
        }
        throw new InvalidLogException("a control character other than newline");
    }
}
