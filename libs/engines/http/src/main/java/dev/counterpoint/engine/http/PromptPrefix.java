package dev.counterpoint.engine.http;

import dev.counterpoint.engine.GenerationRequest;

/// The beginnings of a prompt, as hashes: one of the first block of tokens, one of the first two, and so on. Equal
/// hashes stand for equal beginnings under one salt.
///
/// @param hashes not to be written to
public record PromptPrefix(long[] hashes) {
    /// Tokens of a block. Servers keep blocks of 16 and more; a larger one costs us less to remember.
    static final int BLOCK_TOKENS = 128;

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    public static PromptPrefix of(GenerationRequest request) {
        return of(request.cacheSalt(), request.prompt());
    }

    /// @param salt under which servers keep the prompt
    public static PromptPrefix of(String salt, int[] prompt) {
        var hashes = new long[prompt.length / BLOCK_TOKENS];
        long hash = mix(salt.hashCode());
        for (int block = 0; block < hashes.length; block++) {
            for (int i = block * BLOCK_TOKENS; i < (block + 1) * BLOCK_TOKENS; i++) {
                hash = mix(hash ^ prompt[i]);
            }
            hashes[block] = hash;
        }
        return new PromptPrefix(hashes);
    }

    /// Hashes of content are content.
    @Override
    public String toString() {
        return "PromptPrefix[blocks=" + hashes.length + "]";
    }

    static long mix(long value) {
        long mixed = (value + GOLDEN) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 31)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 29);
    }
}
