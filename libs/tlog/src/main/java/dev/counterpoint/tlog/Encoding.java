package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Strict readers of the texts in C2SP's formats. They accept only the canonical form of a value, so no two texts
/// mean the same. Each throws [InvalidLogException] for anything else.
final class Encoding {
    private Encoding() {}

    /// Standard base64 with padding (RFC 4648, section 4).
    static byte[] decodeBase64(String text) {
        try {
            var bytes = Base64.getDecoder().decode(text);
            require(Base64.getEncoder().encodeToString(bytes).equals(text), "base64 is not in its canonical form");
            return bytes;
        } catch (IllegalArgumentException e) {
            throw new InvalidLogException("not base64");
        }
    }

    /// A decimal number from 0 to 2^63 - 1 without leading zeroes.
    static long decodeDecimal(String text) {
        try {
            var number = Long.parseLong(text);
            require(number >= 0 && Long.toString(number).equals(text), "a decimal is not in its canonical form");
            return number;
        } catch (NumberFormatException e) {
            throw new InvalidLogException("not a decimal number");
        }
    }

    /// UTF-8 without control characters below U+0020 except newline, as signed notes demand.
    static String decodeText(byte[] bytes) {
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            var text = decoder.decode(ByteBuffer.wrap(bytes)).toString();
            require(text.chars().allMatch(c -> c >= ' ' || c == '\n'), "a control character other than newline");
            return text;
        } catch (CharacterCodingException e) {
            throw new InvalidLogException("not valid UTF-8");
        }
    }
}
