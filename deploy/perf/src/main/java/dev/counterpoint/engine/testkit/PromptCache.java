package dev.counterpoint.engine.testkit;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a server of models keeps of the prompts that it has computed: their beginnings, in blocks. What was not used
/// for longest goes first. Thread-safe.
public final class PromptCache {
    /// As vLLM's on a GPU.
    static final int BLOCK_TOKENS = 16;

    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final Map<Long, Boolean> blocks;

    /// @param tokensMax that it keeps
    public PromptCache(int tokensMax) {
        int blocksMax = tokensMax / BLOCK_TOKENS;
        blocks = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                return size() > blocksMax;
            }
        };
    }

    /// Keeps a prompt.
    ///
    /// @param salt whose prompts are told from those of others
    /// @return tokens of its beginning that were there
    public synchronized int use(String salt, int[] prompt) {
        var hashes = hashes(salt, prompt);
        int warm = 0;
        while (warm < hashes.length && blocks.containsKey(hashes[warm])) {
            warm++;
        }
        // The end first: what is used last goes last, and no beginning before what follows it.
        for (int block = hashes.length - 1; block >= 0; block--) {
            blocks.put(hashes[block], true);
        }
        return warm * BLOCK_TOKENS;
    }

    /// One of each beginning.
    private static long[] hashes(String salt, int[] prompt) {
        var hashes = new long[prompt.length / BLOCK_TOKENS];
        long hash = salt.hashCode();
        for (int block = 0; block < hashes.length; block++) {
            for (int i = block * BLOCK_TOKENS; i < (block + 1) * BLOCK_TOKENS; i++) {
                hash = (hash ^ prompt[i]) * FACTOR;
                hash ^= hash >>> 32;
            }
            hashes[block] = hash;
        }
        return hashes;
    }
}
