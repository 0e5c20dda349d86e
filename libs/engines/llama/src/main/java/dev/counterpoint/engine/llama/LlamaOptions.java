package dev.counterpoint.engine.llama;

import java.nio.file.Path;

/// The model of the engine and the resources it may use.
///
/// @param model name of the model, as clients name it
/// @param file the GGUF
/// @param threads that compute; more than there are free cores makes it slower, not faster
public record LlamaOptions(String model, Path file, Capacity capacity, int threads) {
    /// Tokens that one step may compute.
    static final int BATCH_TOKENS = 512;
    /// All layers go to a GPU where the library has one.
    static final int GPU_LAYERS = -1;

    /// More gain little: a few sequences each wait for the same memory.
    private static final int DRAWING_THREADS_MAX = 4;

    public LlamaOptions {
        check("threads", threads >= 1);
    }

    /// While sequences are drawn nothing else is computed, so that every core may draw.
    int drawingThreads() {
        int cores = Math.min(DRAWING_THREADS_MAX, Runtime.getRuntime().availableProcessors());
        return Math.min(cores, capacity.slots());
    }

    /// Sequences and the context memory that they share.
    ///
    /// @param slots generations at once
    /// @param contextLength tokens of prompt and output of one generation
    /// @param contextTokens tokens of all generations and kept prefixes together, which is what costs memory
    /// @param prefillTokens tokens of prompts in one step while other generations wait for their next token
    /// @param keptPrefixes sequences that stay in memory after their end, for prompts that begin alike
    public record Capacity(int slots, int contextLength, int contextTokens, int prefillTokens, int keptPrefixes) {
        public static final int KEPT_PREFIXES = 16;
        private static final int PREFILL_TOKENS = 128;
        /// llama.cpp numbers no more sequences than this; a kept prefix takes two numbers.
        private static final int SEQUENCES_MAX = 256;

        public Capacity {
            check("slots", slots >= 1 && slots <= BATCH_TOKENS);
            check("contextLength", contextLength >= 2);
            check("contextTokens", contextTokens >= contextLength);
            check("prefillTokens", prefillTokens >= 1 && prefillTokens <= BATCH_TOKENS);
            check("keptPrefixes", keptPrefixes >= 0 && slots + 2 * keptPrefixes <= SEQUENCES_MAX);
        }

        public static Capacity of(int slots, int contextLength, int contextTokens) {
            return new Capacity(slots, contextLength, contextTokens, PREFILL_TOKENS, KEPT_PREFIXES);
        }

        int sequences() {
            return slots + 2 * keptPrefixes;
        }
    }

    /// One core is left to the rest of the process.
    public static int freeCores() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    }

    private static void check(String name, boolean inRange) {
        if (!inRange) {
            throw new IllegalArgumentException(name + " is out of range");
        }
    }
}
