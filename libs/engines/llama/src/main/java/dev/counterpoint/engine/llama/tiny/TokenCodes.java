package dev.counterpoint.engine.llama.tiny;

import dev.counterpoint.engine.llama.Sha256;
import dev.counterpoint.engine.llama.gguf.HarmonyVocabulary;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/// The fixed code of every id, 64 numbers that are 1 or -1: what the model knows of an id that has no
/// learned row of its own, and by which it copies words that it never met.
///
/// Sixty of them are a hash of the text without its leading blank, four are traits of it. Numbers share
/// bits by digit, so that arithmetic can see the digits. Control tokens have a hash of their id, and 0
/// for traits.
///
/// The parameters were learned with these codes: `vocabulary.py` of the training program makes the same.
final class TokenCodes {
    /// Numbers of a code.
    static final int LENGTH = 64;

    private static final int TRAITS = 4;
    private static final long HASHED_BITS = -1L << TRAITS;
    private static final int UNITS_BITS = 24;
    private static final int TENS_BITS = 24;
    private static final int HUNDREDS_BITS = 12;
    /// In the place of a digit that a number does not have.
    private static final int NO_DIGIT = 10;

    private final MessageDigest sha256 = Sha256.digest();
    private final long[] codes = new long[HarmonyVocabulary.SIZE];

    TokenCodes() {
        var tokenizer = HarmonyTokenizer.shared();
        for (int id = 0; id < codes.length; id++) {
            codes[id] = SpecialTokens.isSpecial(id) ? hash("<special>" + id) : ofText(tokenizer.bytes(id));
        }
    }

    /// @param i which number of the code, 0 to 63
    float number(int id, int i) {
        if (i >= LENGTH - TRAITS && SpecialTokens.isSpecial(id)) {
            return 0;
        }
        return (codes[id] & Long.MIN_VALUE >>> i) == 0 ? -1 : 1;
    }

    private long ofText(byte[] text) {
        boolean blank = text.length > 1 && text[0] == ' ';
        byte[] body = blank ? Arrays.copyOfRange(text, 1, text.length) : text;
        boolean digits = all(body, TokenCodes::isDigit);
        long code = (digits ? ofNumber(body) : hash(body)) & HASHED_BITS;
        return code
                | bit(blank, 3)
                | bit(isUpperCase(body[0]), 2)
                | bit(digits, 1)
                | bit(all(body, b -> isUpperCase(b) || isLowerCase(b)), 0);
    }

    /// Units, tens and hundreds, each by the first bits of a hash of its own.
    private long ofNumber(byte[] digits) {
        long units = hash("U" + digit(digits, 1)) >>> Long.SIZE - UNITS_BITS;
        long tens = hash("T" + digit(digits, 2)) >>> Long.SIZE - TENS_BITS;
        long hundreds = hash("H" + digit(digits, 3)) >>> Long.SIZE - HUNDREDS_BITS;
        return ((units << TENS_BITS | tens) << HUNDREDS_BITS | hundreds) << TRAITS;
    }

    /// @param place counted from the last, which is 1
    private static int digit(byte[] digits, int place) {
        return place > digits.length ? NO_DIGIT : digits[digits.length - place] - '0';
    }

    private long hash(String text) {
        return hash(text.getBytes(StandardCharsets.UTF_8));
    }

    private long hash(byte[] bytes) {
        return ByteBuffer.wrap(sha256.digest(bytes)).getLong();
    }

    private static long bit(boolean set, int position) {
        return set ? 1L << position : 0;
    }

    private interface ByteTest {
        boolean holds(byte b);
    }

    private static boolean all(byte[] bytes, ByteTest test) {
        for (byte b : bytes) {
            if (!test.holds(b)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isUpperCase(byte b) {
        return b >= 'A' && b <= 'Z';
    }

    private static boolean isLowerCase(byte b) {
        return b >= 'a' && b <= 'z';
    }
}
