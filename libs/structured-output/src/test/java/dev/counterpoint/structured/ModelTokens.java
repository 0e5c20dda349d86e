package dev.counterpoint.structured;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;

/// The 201,088 tokens of gpt-oss; its special ones may never come.
final class ModelTokens {
    static final int SIZE = 201_088;
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    private ModelTokens() {}

    private static final class Holder {
        static final LexemeIndex INDEX = newIndex();
    }

    /// What all tests share: it grows warm.
    static LexemeIndex index() {
        return Holder.INDEX;
    }

    /// One that knows nothing yet.
    static LexemeIndex newIndex() {
        return new LexemeIndex(vocabulary());
    }

    static TokenVocabulary vocabulary() {
        var texts = new byte[SIZE][];
        for (int id = 0; id < SIZE; id++) {
            texts[id] = isText(id) ? TOKENIZER.bytes(id) : new byte[0];
        }
        return new TokenVocabulary(texts);
    }

    /// Whether it is a piece of text.
    static boolean isText(int token) {
        return token < SpecialTokens.FIRST;
    }

    static int[] encode(String text) {
        return TOKENIZER.encode(text);
    }

    static String decode(int... tokens) {
        return TOKENIZER.decode(tokens);
    }
}
