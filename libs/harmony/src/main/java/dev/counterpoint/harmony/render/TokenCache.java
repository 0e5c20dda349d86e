package dev.counterpoint.harmony.render;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tokens of long texts that come again: an agent sends its instructions, its tools and all that was said with
/// every request. Bounded; what was used least recently goes first. Thread-safe.
final class TokenCache {
    /// Shorter texts are encoded faster than they are worth keeping.
    private static final int LENGTH_MIN = 128;

    private final int tokensMax;
    private final Map<Text, int[]> known = new LinkedHashMap<>(16, 0.75f, true);
    private int size;

    /// @param owner who alone may find out, by the time that it takes, that the text was there; empty for everybody
    private record Text(String owner, String text) {}

    /// @param tokensMax of all texts together; texts with more are not kept
    TokenCache(int tokensMax) {
        this.tokensMax = tokensMax;
    }

    /// @param owner of the text; only what has the same one finds it again
    void encode(String owner, String text, HarmonyTokenizer tokenizer, TokenBuffer out) {
        if (text.length() < LENGTH_MIN) {
            tokenizer.encode(text, out);
            return;
        }
        var key = new Text(owner, text);
        var tokens = get(key);
        if (tokens == null) {
            // Outside the lock: two threads may do the same work once.
            tokens = tokenizer.encode(text);
            put(key, tokens);
        }
        out.addAll(tokens);
    }

    private synchronized int @Nullable [] get(Text text) {
        return known.get(text);
    }

    private synchronized void put(Text text, int[] tokens) {
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

    synchronized boolean holds(String owner, String text) {
        return known.containsKey(new Text(owner, text));
    }

    synchronized int size() {
        return size;
    }
}
