package dev.counterpoint.engine.llama;

import static dev.counterpoint.engine.llama.LlamaLayouts.MODEL_PARAMS;
import static dev.counterpoint.engine.llama.LlamaLayouts.set;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// The weights, shared by the contexts that are made from them.
final class LlamaModel implements AutoCloseable {
    /// Harmony's vocabulary; with another one the ids of our tokenizer would mean something else.
    static final int VOCABULARY = 201_088;

    private static final String ARCHITECTURE = "gpt-oss";

    final LlamaApi api;
    final MemorySegment handle;
    private final int trainedContext;
    private final long cachedNumbers;
    private final int window;
    private final boolean usesGpu;

    private LlamaModel(LlamaApi api, MemorySegment handle, GgufHeader header, boolean usesGpu) throws Throwable {
        this.api = api;
        this.handle = handle;
        this.trainedContext = trainedContext(header);
        this.cachedNumbers = cachedNumbers(header);
        this.window = (int) api.modelWindow.invokeExact(handle);
        this.usesGpu = usesGpu;
    }

    /// @param header what [#check] found in the file
    /// @param gpuLayers layers to put on a GPU, when the library has one; negative for all
    /// @throws UnusableModelException when llama.cpp refuses the file
    static LlamaModel load(LlamaApi api, Path file, GgufHeader header, int gpuLayers) {
        try (var arena = Arena.ofConfined()) {
            var params = (MemorySegment) api.modelDefaultParams.invokeExact((SegmentAllocator) arena);
            set(MODEL_PARAMS, params, "n_gpu_layers", gpuLayers);
            set(MODEL_PARAMS, params, "use_extra_bufts", hasRoomForRepacking(file));
            LlamaLog.takeError();
            var handle = (MemorySegment) api.modelLoad.invokeExact(arena.allocateFrom(file.toString()), params);
            if (handle.address() == 0) {
                throw new UnusableModelException(file, "was refused by llama.cpp: " + LlamaLog.takeError());
            }
            boolean usesGpu = gpuLayers != 0 && (boolean) api.supportsGpu.invokeExact();
            return new LlamaModel(api, handle, header, usesGpu);
        } catch (UnusableModelException e) {
            throw e;
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_model_load_from_file", e);
        }
    }

    private static int trainedContext(GgufHeader header) {
        return (int) Math.min(Integer.MAX_VALUE, number(header, "context_length"));
    }

    private static long cachedNumbers(GgufHeader header) {
        long wide = number(header, "attention.key_length") + number(header, "attention.value_length");
        return number(header, "block_count") * number(header, "attention.head_count_kv") * wide;
    }

    private static long number(GgufHeader header, String name) {
        return header.numbers().getOrDefault(ARCHITECTURE + "." + name, 0L);
    }

    /// Reads the header and makes sure that it is one of a model for this engine.
    ///
    /// llama.cpp's own complaints come late and in its own words, so what can be seen from the header is said here.
    ///
    /// @throws UnusableModelException when the file is missing, cut, or not a gpt-oss GGUF
    static GgufHeader check(Path file) {
        var header = GgufHeader.read(file);
        var architecture = header.texts().getOrDefault("general.architecture", "");
        if (!architecture.equals(ARCHITECTURE)) {
            throw new UnusableModelException(
                    file, "holds a model of the kind '" + architecture + "'; this engine runs gpt-oss");
        }
        long vocabulary = header.lengths().getOrDefault("tokenizer.ggml.tokens", 0L);
        if (vocabulary != VOCABULARY) {
            throw new UnusableModelException(
                    file, "has a vocabulary of " + vocabulary + " tokens; Harmony needs " + VOCABULARY);
        }
        if (header.missingBytes() > 0) {
            throw new UnusableModelException(
                    file, "is truncated: " + header.missingBytes() + " bytes are missing at its end");
        }
        return header;
    }

    /// Repacked weights are faster and are a second copy in memory.
    private static boolean hasRoomForRepacking(Path file) throws IOException {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && system.getTotalMemorySize() / 2 > Files.size(file);
    }

    /// Tokens of a sequence that the model was made for.
    int trainedContext() {
        return trainedContext;
    }

    /// Numbers that the cache holds of each token; 0 when the file does not say.
    long cachedNumbers() {
        return cachedNumbers;
    }

    /// Tokens that a layer with a sliding window looks back; 0 when every layer sees everything.
    int window() {
        return window;
    }

    boolean usesGpu() {
        return usesGpu;
    }

    /// Only after the contexts made from it are closed.
    @Override
    public void close() {
        try {
            api.modelFree.invokeExact(handle);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_model_free", e);
        }
    }
}
