package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineHealth.Status;
import dev.counterpoint.engine.EngineStatistics;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Slots;
import dev.counterpoint.engine.TokenSink;
import java.util.Set;

/// A model of a GGUF in this process, computed by llama.cpp.
///
/// Sequences join and leave the common batch at any step. The same request gives the same tokens on the
/// same machine up to rounding: llama.cpp sums in another order in a batch of another size, so that two
/// tokens that are all but equally probable may change places. How near they must be for that depends on
/// the file: on a CPU the cache holds whole floats where it is small enough, yet quantised weights make
/// llama.cpp round the state to 8 bits.
public final class LlamaEngine implements Engine {
    private final LlamaModel model;
    private final LlamaLoop loop;
    private final EngineDescription description;
    private final Slots<LlamaGeneration> slots;

    private LlamaEngine(LlamaOptions options, String what, LlamaModel model, LlamaLoop loop) {
        this.model = model;
        this.loop = loop;
        this.slots = new Slots<>(options.capacity().slots());
        this.description = new EngineDescription(
                "llama",
                options.model(),
                what + "; computed by llama.cpp " + LlamaApi.VERSION + " in the worker's process",
                loop.start(),
                options.capacity().contextTokens(),
                options.capacity().slots(),
                model.vocabularySize(),
                Set.of(Ability.MASKS, Ability.LOGPROBS, Ability.RESUMES_DRAWS, Ability.CONTINUES_INSIDE_CONSTRAINT));
    }

    /// Loads library and model; returns when the engine is ready.
    ///
    /// @throws LlamaUnavailableException when there is no usable libllama for this machine, or not enough memory
    /// @throws UnusableModelException when the file is missing, truncated or not of a model that this engine runs
    public static LlamaEngine open(LibrarySource library, LlamaOptions options) {
        var header = GgufHeader.read(options.file());
        var file = ModelFile.of(options.file(), header);
        var api = LlamaApi.load(LlamaLibrary.find(library));
        var model = LlamaModel.load(api, file, header, LlamaOptions.GPU_LAYERS);
        var loop = new LlamaLoop(model, options);
        try {
            return new LlamaEngine(
                    options, options.model() + " from " + options.file().getFileName(), model, loop);
        } catch (RuntimeException e) {
            model.close();
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /// The facts in the model's file.
    public ModelFile file() {
        return model.file();
    }

    /// The model's own tokens, made anew by each call: keep them. A gpt-oss model's are Harmony's.
    ///
    /// @throws UnusableModelException when it is SentencePiece and cannot write every byte
    public ModelVocabulary vocabulary() {
        return model.whileOpen("llama_model_get_vocab", () -> new ModelVocabulary(model));
    }

    @Override
    public EngineDescription describe() {
        return description;
    }

    @Override
    public Generation start(GenerationRequest request, TokenSink sink) {
        request.requireIdsOf(model.vocabularySize());
        if (loop.failure() != null) {
            throw new IllegalStateException("the engine has failed");
        }
        var generation = slots.take(() -> new LlamaGeneration(loop, sink, request.mask(), slots::release));
        loop.join(generation, request);
        return generation;
    }

    @Override
    public EngineHealth health() {
        if (slots.closed()) {
            return EngineHealth.CLOSED;
        }
        var failure = loop.failure();
        return failure == null
                ? new EngineHealth(Status.READY, slots.free(), freeTokens(), "llama")
                : new EngineHealth(Status.FAILED, 0, 0, failure);
    }

    private long freeTokens() {
        return Math.max(0, description.contextTokens() - loop.counters().heldTokens());
    }

    @Override
    public EngineStatistics statistics() {
        return loop.counters().read();
    }

    @Override
    public void close() {
        if (slots.close()) {
            loop.close();
            model.close();
        }
    }
}
