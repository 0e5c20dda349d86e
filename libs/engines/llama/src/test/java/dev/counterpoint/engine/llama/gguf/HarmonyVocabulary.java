package dev.counterpoint.engine.llama.gguf;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Harmony's vocabulary as GGUF wants it: tokens in GPT-2's alphabet and the merges that make them.
///
/// The vocabulary only has ranks. A token's merge is found by replaying the merging of its own bytes with lower ranks
/// until two parts are left.
public final class HarmonyVocabulary {
    /// Ids are 0 to this, exclusive.
    public static final int SIZE = 201_088;

    private static final int NORMAL = 1;
    private static final int CONTROL = 3;

    private HarmonyVocabulary() {}

    /// Adds all that llama.cpp wants to know of the vocabulary.
    public static GgufWriter addTo(GgufWriter file) {
        var tokenizer = HarmonyTokenizer.shared();
        var tokens = new ArrayList<String>(SIZE);
        var types = new int[SIZE];
        for (int id = 0; id < SIZE; id++) {
            boolean special = SpecialTokens.isSpecial(id);
            tokens.add(special ? tokenizer.decode(new int[] {id}) : gpt2(tokenizer.bytes(id)));
            types[id] = special ? CONTROL : NORMAL;
        }
        return file.text("tokenizer.ggml.model", "gpt2")
                .text("tokenizer.ggml.pre", "gpt-4o")
                .texts("tokenizer.ggml.tokens", tokens)
                .numbers("tokenizer.ggml.token_type", types)
                .texts("tokenizer.ggml.merges", merges(tokenizer))
                .number("tokenizer.ggml.bos_token_id", SpecialTokens.START_OF_TEXT)
                .number("tokenizer.ggml.eos_token_id", SpecialTokens.RETURN)
                .number("tokenizer.ggml.padding_token_id", SpecialTokens.END_OF_TEXT)
                .truth("tokenizer.ggml.add_bos_token", false);
    }

    private static List<String> merges(HarmonyTokenizer tokenizer) {
        var ranks = new HashMap<ByteBuffer, Integer>();
        for (int id = 0; id < SpecialTokens.FIRST; id++) {
            ranks.put(ByteBuffer.wrap(tokenizer.bytes(id)), id);
        }
        var merges = new ArrayList<String>(SpecialTokens.FIRST);
        for (int id = 0; id < SpecialTokens.FIRST; id++) {
            byte[] token = tokenizer.bytes(id);
            if (token.length > 1) {
                int cut = lastCut(token, id, ranks);
                merges.add(gpt2(Arrays.copyOf(token, cut)) + " " + gpt2(Arrays.copyOfRange(token, cut, token.length)));
            }
        }
        return merges;
    }

    /// Where the last two parts of a token meet.
    private static int lastCut(byte[] token, int rank, Map<ByteBuffer, Integer> ranks) {
        var cuts = new ArrayList<Integer>(token.length + 1);
        for (int i = 0; i <= token.length; i++) {
            cuts.add(i);
        }
        while (cuts.size() > 3) {
            int best = -1;
            int bestRank = rank;
            for (int i = 0; i + 2 < cuts.size(); i++) {
                int from = cuts.get(i);
                var merged = ranks.get(ByteBuffer.wrap(token, from, cuts.get(i + 2) - from));
                if (merged != null && merged < bestRank) {
                    bestRank = merged;
                    best = i;
                }
            }
            if (best < 0) {
                throw new IllegalStateException("token " + rank + " is not made of two others");
            }
            cuts.remove(best + 1);
        }
        return cuts.get(1);
    }

    /// GPT-2 writes bytes as characters that can be seen: printable ones stand for themselves, the others for the
    /// characters from 256 on, in their order.
    public static String gpt2(byte[] bytes) {
        var text = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            text.append(ALPHABET[b & 0xFF]);
        }
        return text.toString();
    }

    private static final char[] ALPHABET = alphabet();

    private static char[] alphabet() {
        var alphabet = new char[256];
        char next = 256;
        for (char c = 0; c < alphabet.length; c++) {
            boolean printable = (c >= '!' && c <= '~') || (c >= 0xA1 && c <= 0xFF && c != 0xAD);
            alphabet[c] = printable ? c : next++;
        }
        return alphabet;
    }
}
