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
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// The weights, shared by the contexts that are made from them.
final class LlamaModel implements AutoCloseable {
    final LlamaApi api;
    final MemorySegment handle;
    private final ModelFile file;
    private final int vocabularySize;
    private final long cachedNumbers;
    private final int window;
    private final boolean usesGpu;
    private final ReadWriteLock use = new ReentrantReadWriteLock();
    private boolean closed;

    /// A call into the library.
    @FunctionalInterface
    interface NativeCall<T> {
        T call() throws Throwable;
    }

    private LlamaModel(LlamaApi api, MemorySegment handle, ModelFile file, GgufHeader header, boolean usesGpu)
            throws Throwable {
        this.api = api;
        this.handle = handle;
        this.file = file;
        var vocabulary = (MemorySegment) api.modelVocabulary.invokeExact(handle);
        this.vocabularySize = (int) api.vocabularySize.invokeExact(vocabulary);
        this.cachedNumbers = cachedNumbers(header);
        this.window = (int) api.modelWindow.invokeExact(handle);
        this.usesGpu = usesGpu;
    }

    /// @param gpuLayers layers to put on a GPU, when the library has one; negative for all
    /// @throws UnusableModelException when llama.cpp refuses the file
    static LlamaModel load(LlamaApi api, ModelFile file, GgufHeader header, int gpuLayers) {
        var path = file.path();
        try (var arena = Arena.ofConfined()) {
            var params = (MemorySegment) api.modelDefaultParams.invokeExact((SegmentAllocator) arena);
            set(MODEL_PARAMS, params, "n_gpu_layers", gpuLayers);
            set(MODEL_PARAMS, params, "use_extra_bufts", hasRoomForRepacking(path));
            LlamaLog.takeError();
            var handle = (MemorySegment) api.modelLoad.invokeExact(arena.allocateFrom(path.toString()), params);
            if (handle.address() == 0) {
                throw new UnusableModelException(path, "was refused by llama.cpp: " + LlamaLog.takeError());
            }
            boolean usesGpu = gpuLayers != 0 && (boolean) api.supportsGpu.invokeExact();
            var unfit = unfitness(api, handle);
            if (!unfit.isEmpty()) {
                api.modelFree.invokeExact(handle);
                throw new UnusableModelException(
                        path, "holds a model of the kind '" + file.architecture() + "': " + unfit);
            }
            return new LlamaModel(api, handle, file, header, usesGpu);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_model_load_from_file", e);
        }
    }

    /// Why this engine cannot run such a model: it continues a sequence token by token, and cuts it anywhere.
    private static String unfitness(LlamaApi api, MemorySegment handle) throws Throwable {
        if ((boolean) api.hasEncoder.invokeExact(handle) || !(boolean) api.hasDecoder.invokeExact(handle)) {
            return "it has an encoder, which this engine does not run";
        }
        if ((boolean) api.isDiffusion.invokeExact(handle)) {
            return "it makes text by diffusion, not token by token";
        }
        boolean remembers = (boolean) api.isRecurrent.invokeExact(handle) || (boolean) api.isHybrid.invokeExact(handle);
        return remembers ? "its layers are recurrent, so that what they have read cannot be taken back" : "";
    }

    /// Where a file leaves lengths out, llama.cpp takes these.
    private static long cachedNumbers(GgufHeader header) {
        long heads = header.ofModel("attention.head_count");
        long width = heads == 0 ? 0 : header.ofModel("embedding_length") / heads;
        long wide =
                or(header.ofModel("attention.key_length"), width) + or(header.ofModel("attention.value_length"), width);
        return header.ofModel("block_count") * or(header.ofModel("attention.head_count_kv"), heads) * wide;
    }

    private static long or(long length, long usual) {
        return length == 0 ? usual : length;
    }

    /// Repacked weights are faster and are a second copy in memory.
    private static boolean hasRoomForRepacking(Path file) throws IOException {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && system.getTotalMemorySize() / 2 > Files.size(file);
    }

    ModelFile file() {
        return file;
    }

    /// Logits of a step.
    int vocabularySize() {
        return vocabularySize;
    }

    /// A call that needs the model; [#close] waits for its end.
    ///
    /// @throws IllegalStateException when the model is closed
    <T> T whileOpen(String function, NativeCall<T> call) {
        use.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("the engine is closed");
            }
            return call.call();
        } catch (Throwable e) {
            throw LlamaApi.broken(function, e);
        } finally {
            use.readLock().unlock();
        }
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
        use.writeLock().lock();
        try {
            closed = true;
            api.modelFree.invokeExact(handle);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_model_free", e);
        } finally {
            use.writeLock().unlock();
        }
    }
}
