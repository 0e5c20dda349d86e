package dev.counterpoint.engine.llama;

import static dev.counterpoint.engine.llama.LlamaLayouts.BATCH;
import static dev.counterpoint.engine.llama.LlamaLayouts.CONTEXT_PARAMS;
import static dev.counterpoint.engine.llama.LlamaLayouts.set;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.BooleanSupplier;

/// Sequences in memory and one batch at a time for them. Not thread-safe: one platform thread makes,
/// uses and closes it.
@SuppressWarnings("restricted") // foreign functions are the purpose
final class LlamaContext implements AutoCloseable {
    /// The result of [#decode] when it is done.
    static final int DONE = 0;
    /// There is no room for the batch; nothing has changed.
    static final int NO_ROOM = 1;
    /// The abort callback said so; a part of the batch may be in memory.
    static final int ABORTED = 2;

    private static final int FLASH_ATTENTION_AUTO = -1;
    private static final int FLASH_ATTENTION_OFF = 0;
    private static final int TYPE_F32 = 0;
    private static final int TYPE_F16 = 1;
    private static final long WHOLE_CACHE_BYTES_MAX = 1L << 30;

    private final Arena arena = Arena.ofConfined();
    private final LlamaApi api;
    private final MemorySegment context;
    private final MemorySegment memory;
    private final int tokens;
    private final int vocabularySize;

    private final MemorySegment batch = arena.allocate(BATCH);
    private final MemorySegment ids;
    private final MemorySegment positions;
    private final MemorySegment sequences;
    private final MemorySegment wanted;
    private int size;

    /// @param tokens room for so many in all sequences together
    /// @param batchTokens rows of a batch
    /// @param sequences ids of sequences are 0 to this, exclusive
    record Shape(int tokens, int batchTokens, int sequences, int threads) {}

    /// @param abort asked many times while a batch is computed; true ends it
    LlamaContext(LlamaModel model, Shape shape, BooleanSupplier abort) {
        this.api = model.api;
        this.vocabularySize = model.vocabularySize();
        try {
            var params = params(shape, abort, model.usesGpu(), cacheType(model, shape.tokens()));
            LlamaLog.takeError();
            this.context = (MemorySegment) api.contextInit.invokeExact(model.handle, params);
            if (context.address() == 0) {
                throw new LlamaUnavailableException("llama.cpp cannot make a context of " + shape.tokens()
                        + " tokens for " + shape.sequences() + " sequences: " + LlamaLog.takeError());
            }
            this.memory = (MemorySegment) api.contextMemory.invokeExact(context);
            this.tokens = (int) api.contextSize.invokeExact(context);
        } catch (Throwable e) {
            arena.close();
            throw LlamaApi.broken("llama_init_from_model", e);
        }
        ids = arena.allocate(JAVA_INT, shape.batchTokens());
        positions = arena.allocate(JAVA_INT, shape.batchTokens());
        sequences = arena.allocate(JAVA_INT, shape.batchTokens());
        wanted = arena.allocate(JAVA_BYTE, shape.batchTokens());
        wireBatch(shape.batchTokens());
    }

    /// @param flashAttention on a CPU it sums in half precision, in the order in which tokens lie in memory, so that a
    ///     sequence would say other things in other company; without it sums are exact enough
    private MemorySegment params(Shape shape, BooleanSupplier abort, boolean flashAttention, int cacheType)
            throws Throwable {
        var params = (MemorySegment) api.contextDefaultParams.invokeExact((SegmentAllocator) arena);
        set(CONTEXT_PARAMS, params, "n_ctx", shape.tokens());
        set(CONTEXT_PARAMS, params, "n_batch", shape.batchTokens());
        set(CONTEXT_PARAMS, params, "n_ubatch", shape.batchTokens());
        set(CONTEXT_PARAMS, params, "n_seq_max", shape.sequences());
        set(CONTEXT_PARAMS, params, "n_outputs_max", shape.sequences()); // it insists on one each
        set(CONTEXT_PARAMS, params, "n_threads", shape.threads());
        set(CONTEXT_PARAMS, params, "n_threads_batch", shape.threads());
        set(CONTEXT_PARAMS, params, "flash_attn_type", flashAttention ? FLASH_ATTENTION_AUTO : FLASH_ATTENTION_OFF);
        set(CONTEXT_PARAMS, params, "type_k", cacheType);
        set(CONTEXT_PARAMS, params, "type_v", cacheType);
        // One pool of memory for all sequences, so that a prefix is held once however many share it.
        set(CONTEXT_PARAMS, params, "kv_unified", true);
        // Layers with a sliding window keep what they no longer see, else a prefix could not be cut shorter.
        set(CONTEXT_PARAMS, params, "swa_full", true);
        set(CONTEXT_PARAMS, params, "abort_callback", abortCallback(abort));
        return params;
    }

    /// Half precision turns the last bit of a sum, which differs with the size of the batch, into a thousandth of a
    /// cached number. Whole floats leave it so small that an answer that is resumed goes on as it would have.
    private static int cacheType(LlamaModel model, int tokens) {
        long bytes = model.cachedNumbers() * tokens * Float.BYTES;
        return !model.usesGpu() && bytes > 0 && bytes <= WHOLE_CACHE_BYTES_MAX ? TYPE_F32 : TYPE_F16;
    }

    private MemorySegment abortCallback(BooleanSupplier abort) throws ReflectiveOperationException {
        var type = MethodType.methodType(boolean.class, BooleanSupplier.class, MemorySegment.class);
        var method = MethodHandles.lookup()
                .findStatic(LlamaContext.class, "aborts", type)
                .bindTo(abort);
        return Linker.nativeLinker().upcallStub(method, FunctionDescriptor.of(JAVA_BOOLEAN, ADDRESS), arena);
    }

    @SuppressWarnings("unused") // llama.cpp calls it
    private static boolean aborts(BooleanSupplier abort, MemorySegment userData) {
        boolean aborts = abort.getAsBoolean();
        if (aborts) {
            LlamaLog.expectErrors(true); // it reports what it was told to do as a failure
        }
        return aborts;
    }

    private void wireBatch(int rows) {
        var ones = arena.allocate(JAVA_INT, rows);
        var lists = arena.allocate(ADDRESS, rows);
        for (int row = 0; row < rows; row++) {
            ones.setAtIndex(JAVA_INT, row, 1);
            lists.setAtIndex(ADDRESS, row, sequences.asSlice((long) row * Integer.BYTES));
        }
        set(BATCH, batch, "token", ids);
        set(BATCH, batch, "pos", positions);
        set(BATCH, batch, "n_seq_id", ones);
        set(BATCH, batch, "seq_id", lists);
        set(BATCH, batch, "logits", wanted);
    }

    /// The number of tokens for which all sequences together have room.
    int tokens() {
        return tokens;
    }

    /// Rows that the batch has.
    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /// Adds a row to the batch and tells which it is.
    int add(int token, int position, int sequence, boolean wantsLogits) {
        ids.setAtIndex(JAVA_INT, size, token);
        positions.setAtIndex(JAVA_INT, size, position);
        sequences.setAtIndex(JAVA_INT, size, sequence);
        wanted.set(JAVA_BYTE, size, (byte) (wantsLogits ? 1 : 0));
        return size++;
    }

    /// Computes the batch: [#DONE], [#NO_ROOM], [#ABORTED], or negative for a failure.
    int decode() {
        set(BATCH, batch, "n_tokens", size);
        try {
            return (int) api.decode.invokeExact(context, batch);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_decode", e);
        } finally {
            LlamaLog.expectErrors(false);
        }
    }

    /// The logits of a row of the last batch, valid until the next.
    MemorySegment logits(int row) {
        try {
            var logits = (MemorySegment) api.logits.invokeExact(context, row);
            if (logits.address() == 0) {
                throw new IllegalStateException("row " + row + " has no logits");
            }
            return logits.reinterpret((long) vocabularySize * Float.BYTES);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_get_logits_ith", e);
        }
    }

    /// Forgets what a sequence holds from a position on.
    void remove(int sequence, int from) {
        try {
            if (!(boolean) api.sequenceRemove.invokeExact(memory, sequence, from, -1)) {
                throw new IllegalStateException("sequence " + sequence + " cannot be cut at " + from);
            }
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_memory_seq_rm", e);
        }
    }

    /// Lets a sequence share the beginning of another, up to a position.
    void copy(int from, int to, int end) {
        try {
            api.sequenceCopy.invokeExact(memory, from, to, 0, end);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_memory_seq_cp", e);
        }
    }

    /// The first position that every layer still has of a sequence; -1 when it holds nothing.
    int first(int sequence) {
        try {
            return (int) api.sequenceFirst.invokeExact(memory, sequence);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_memory_seq_pos_min", e);
        }
    }

    /// The last position that a sequence holds; -1 when it holds nothing.
    int last(int sequence) {
        try {
            return (int) api.sequenceLast.invokeExact(memory, sequence);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_memory_seq_pos_max", e);
        }
    }

    @Override
    public void close() {
        try {
            api.contextFree.invokeExact(context);
        } catch (Throwable e) {
            throw LlamaApi.broken("llama_free", e);
        } finally {
            arena.close();
        }
    }
}
