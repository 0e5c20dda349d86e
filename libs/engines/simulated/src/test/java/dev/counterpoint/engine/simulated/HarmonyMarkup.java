package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Harmony as a string: each control token is one private character, so text that spells a control token stays text.
final class HarmonyMarkup {
    static final char START = '\uF8E0';
    static final char END = '\uF8E1';
    static final char MESSAGE = '\uF8E2';
    static final char CHANNEL = '\uF8E3';
    static final char CONSTRAIN = '\uF8E4';
    static final char CALL = '\uF8E5';
    static final char RETURN = '\uF8E6';
    /// Any other control token.
    static final char OTHER = '\uF8E7';
    /// The tokens of the marks from START to RETURN.
    private static final int[] TOKENS = {
        SpecialTokens.START,
        SpecialTokens.END,
        SpecialTokens.MESSAGE,
        SpecialTokens.CHANNEL,
        SpecialTokens.CONSTRAIN,
        SpecialTokens.CALL,
        SpecialTokens.RETURN
    };

    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    private HarmonyMarkup() {}

    static boolean isMark(char character) {
        return character >= START && character <= OTHER;
    }

    /// The text without characters that would become control tokens.
    static String plain(String text) {
        return text.replaceAll("[\uF8E0-\uF8E7]", "?");
    }

    /// The ids of marked text. Each piece between two marks is encoded by itself, as the model's format wants it.
    static int[] encode(String marked) {
        var ids = IntStream.builder();
        int begin = 0;
        for (int i = 0; i <= marked.length(); i++) {
            boolean mark = i < marked.length() && isMark(marked.charAt(i));
            if (mark || i == marked.length()) {
                Arrays.stream(TOKENIZER.encode(marked.substring(begin, i))).forEach(ids::add);
                begin = i + 1;
            }
            if (mark) {
                ids.add(marked.charAt(i) == OTHER ? SpecialTokens.END_OF_TEXT : TOKENS[marked.charAt(i) - START]);
            }
        }
        return ids.build().toArray();
    }

    /// The marked text of the ids between two positions.
    static String decode(int[] ids, int from, int to) {
        var marked = new StringBuilder();
        int begin = from;
        for (int i = from; i <= to; i++) {
            boolean mark = i < to && SpecialTokens.isSpecial(ids[i]);
            if (mark || i == to) {
                marked.append(plain(TOKENIZER.decode(Arrays.copyOfRange(ids, begin, i))));
                begin = i + 1;
            }
            if (mark) {
                marked.append(mark(ids[i]));
            }
        }
        return marked.toString();
    }

    /// The mark of a control token.
    static char mark(int token) {
        int mark = 0;
        while (mark < TOKENS.length && TOKENS[mark] != token) {
            mark++;
        }
        return (char) (START + mark);
    }
}
