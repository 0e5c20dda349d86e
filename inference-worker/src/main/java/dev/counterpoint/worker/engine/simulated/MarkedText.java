package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import java.util.Arrays;

/// Harmony as a string: each control token is one private character, so that text which merely spells one
/// stays text.
final class MarkedText {
    static final char START = '\uF8E0';
    static final char END = '\uF8E1';
    static final char MESSAGE = '\uF8E2';
    static final char CHANNEL = '\uF8E3';
    static final char CONSTRAIN = '\uF8E4';
    static final char CALL = '\uF8E5';
    static final char RETURN = '\uF8E6';
    /// Any other control token; it cannot be turned back.
    private static final char OTHER = '\uF8E7';

    private MarkedText() {}

    /// The text without characters that would become control tokens.
    static String plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isMark(text.charAt(i))) {
                return plainFrom(text);
            }
        }
        return text;
    }

    private static String plainFrom(String text) {
        var plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            plain.append(isMark(text.charAt(i)) ? '?' : text.charAt(i));
        }
        return plain.toString();
    }

    static boolean isMark(char character) {
        return character >= START && character <= OTHER;
    }

    /// The ids of marked text; each piece between two marks is encoded by itself, as the model's format wants
    /// it.
    static int[] encode(HarmonyTokenizer tokenizer, String marked) {
        var ids = new int[16];
        int size = 0;
        int begin = 0;
        for (int i = 0; i <= marked.length(); i++) {
            boolean end = i == marked.length();
            if (!end && !isMark(marked.charAt(i))) {
                continue;
            }
            int[] piece = begin == i ? new int[0] : tokenizer.encode(marked.substring(begin, i));
            ids = size + piece.length + 1 > ids.length ? Arrays.copyOf(ids, 2 * (size + piece.length + 1)) : ids;
            System.arraycopy(piece, 0, ids, size, piece.length);
            size += piece.length;
            if (!end) {
                ids[size++] = token(marked.charAt(i));
            }
            begin = i + 1;
        }
        return Arrays.copyOf(ids, size);
    }

    /// The marked text of ids from `from` to `to`, exclusive.
    static String decode(HarmonyTokenizer tokenizer, int[] ids, int from, int to) {
        var marked = new StringBuilder();
        int begin = from;
        for (int i = from; i <= to; i++) {
            boolean end = i == to;
            if (!end && !SpecialTokens.isSpecial(ids[i])) {
                continue;
            }
            if (i > begin) {
                marked.append(plain(tokenizer.decode(Arrays.copyOfRange(ids, begin, i))));
            }
            if (!end) {
                marked.append(mark(ids[i]));
            }
            begin = i + 1;
        }
        return marked.toString();
    }

    private static int token(char mark) {
        return switch (mark) {
            case START -> SpecialTokens.START;
            case END -> SpecialTokens.END;
            case MESSAGE -> SpecialTokens.MESSAGE;
            case CHANNEL -> SpecialTokens.CHANNEL;
            case CONSTRAIN -> SpecialTokens.CONSTRAIN;
            case CALL -> SpecialTokens.CALL;
            case RETURN -> SpecialTokens.RETURN;
            default -> SpecialTokens.END_OF_TEXT;
        };
    }

    private static char mark(int token) {
        return switch (token) {
            case SpecialTokens.START -> START;
            case SpecialTokens.END -> END;
            case SpecialTokens.MESSAGE -> MESSAGE;
            case SpecialTokens.CHANNEL -> CHANNEL;
            case SpecialTokens.CONSTRAIN -> CONSTRAIN;
            case SpecialTokens.CALL -> CALL;
            case SpecialTokens.RETURN -> RETURN;
            default -> OTHER;
        };
    }
}
