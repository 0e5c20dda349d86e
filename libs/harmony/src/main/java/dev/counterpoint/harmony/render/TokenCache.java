package dev.counterpoint.harmony.render;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tokens of long texts that many prompts begin with: an agent sends its instructions and tools with
/// every request. Bounded; what was used least recently goes first. Thread-safe.
final class TokenCache {
    /// Shorter texts are encoded faster than they are worth keeping.
    private static final int LENGTH_MIN = 512;

    private final int tokensMax;
    private final Map<String, int[]> known = new LinkedHashMap<>(16, 0.75f, true);
    private int size;

    /// @param tokensMax of all texts together; texts with more are not kept
    TokenCache(int tokensMax) {
        this.tokensMax = tokensMax;
    }

    void encode(String text, HarmonyTokenizer tokenizer, TokenBuffer out) {
        if (text.length() < LENGTH_MIN) {
            tokenizer.encode(text, out);
            return;
        }
        var tokens = get(text);
        if (tokens == null) {
            // Outside the lock: two threads may do the same work once.
            tokens = tokenizer.encode(text);
            put(text, tokens);
        }
        out.addAll(tokens);
    }

    private synchronized int @Nullable [] get(String text) {
        return known.get(text);
    }

    private synchronized void put(String text, int[] tokens) {
        if (tokens.length > tokensMax || known.putIfAbsent(text, tokens) != null) {
            return;
        }
        size += tokens.length;
        var oldest = known.values().iterator();
        while (size > tokensMax) {
            size -= oldest.next().length;
            oldest.remove();
        }
    }

    synchronized boolean holds(String text) {
        return known.containsKey(text);
    }

    synchronized int size() {
        return size;
    }
}
