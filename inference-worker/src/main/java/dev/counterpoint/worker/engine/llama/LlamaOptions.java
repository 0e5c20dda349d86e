package dev.counterpoint.worker.engine.llama;

import java.nio.file.Path;

/// How the engine runs.
///
/// @param model name of the model, as clients name it
/// @param file the GGUF
/// @param slots generations at once
/// @param contextLength tokens of prompt and output of one generation
/// @param contextTokens tokens of all generations and kept prefixes together, which is what costs memory
/// @param batchTokens tokens that one step may compute
/// @param prefillTokens of these, how many may be prompt while others wait for their next token
/// @param keptPrefixes sequences that stay in memory after their end, for prompts that begin alike
/// @param threads that compute; more than there are free cores makes it slower, not faster
/// @param gpuLayers layers to put on a GPU, when the library has one; negative for all
public record LlamaOptions(
        String model,
        Path file,
        int slots,
        int contextLength,
        int contextTokens,
        int batchTokens,
        int prefillTokens,
        int keptPrefixes,
        int threads,
        int gpuLayers) {

    /// llama.cpp numbers no more sequences than this; a kept prefix takes two numbers.
    private static final int SEQUENCES_MAX = 256;

    public LlamaOptions {
        check("slots", slots >= 1);
        check("keptPrefixes", keptPrefixes >= 0 && slots + 2 * keptPrefixes <= SEQUENCES_MAX);
        check("contextLength", contextLength >= 2);
        check("contextTokens", contextTokens >= contextLength);
        check("batchTokens", batchTokens >= slots);
        check("prefillTokens", prefillTokens >= 1 && prefillTokens <= batchTokens);
        check("threads", threads >= 1);
    }

    /// One core is left to the rest of the process.
    public static LlamaOptions defaults(String model, Path file) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
        return new LlamaOptions(model, file, 8, 8192, 32_768, 512, 128, 16, threads, -1);
    }

    public LlamaOptions withSlots(int newSlots) {
        return new LlamaOptions(
                model,
                file,
                newSlots,
                contextLength,
                contextTokens,
                batchTokens,
                prefillTokens,
                keptPrefixes,
                threads,
                gpuLayers);
    }

    public LlamaOptions withContext(int length, int tokens) {
        return new LlamaOptions(
                model, file, slots, length, tokens, batchTokens, prefillTokens, keptPrefixes, threads, gpuLayers);
    }

    public LlamaOptions withKeptPrefixes(int prefixes) {
        return new LlamaOptions(
                model,
                file,
                slots,
                contextLength,
                contextTokens,
                batchTokens,
                prefillTokens,
                prefixes,
                threads,
                gpuLayers);
    }

    /// @param tokens at most `batchTokens`
    public LlamaOptions withPrefillTokens(int tokens) {
        return new LlamaOptions(
                model,
                file,
                slots,
                contextLength,
                contextTokens,
                batchTokens,
                tokens,
                keptPrefixes,
                threads,
                gpuLayers);
    }

    public LlamaOptions withThreads(int newThreads) {
        return new LlamaOptions(
                model,
                file,
                slots,
                contextLength,
                contextTokens,
                batchTokens,
                prefillTokens,
                keptPrefixes,
                newThreads,
                gpuLayers);
    }

    int sequences() {
        return slots + 2 * keptPrefixes;
    }

    private static void check(String name, boolean inRange) {
        if (!inRange) {
            throw new IllegalArgumentException(name + " is out of range");
        }
    }
}
