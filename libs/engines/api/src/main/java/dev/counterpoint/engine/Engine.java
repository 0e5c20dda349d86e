package dev.counterpoint.engine;

import java.util.List;

/// Something that continues token sequences: many at once, each at the pace of its [TokenSink].
///
/// Thread-safe. An engine owns its threads and its memory; [#close] cancels what still runs and frees both.
public interface Engine extends AutoCloseable {
    /// The kind and the abilities of this engine. Its text may change; where the model runs in servers, so may
    /// what they decide: the context length, the slots, and [EngineDescription.Ability#RESUMES_DRAWS]. Cheap.
    EngineDescription describe();

    /// Takes a slot and begins; returns at once. The sink may hear of tokens before that.
    ///
    /// @throws EngineBusyException when every slot is taken: not an error of the request, try again later
    /// @throws IllegalArgumentException when the request holds an id outside the vocabulary or asks for an
    ///     ability that the engine lacks
    /// @throws IllegalStateException when the engine is closed
    Generation start(GenerationRequest request, TokenSink sink);

    /// The health of the engine now. Cheap: callers may ask with every heartbeat.
    EngineHealth health();

    /// What the operator should know of the engine now. Cheap.
    default List<EngineNotice> notices() {
        return List.of();
    }

    /// The work that the engine has done so far. Cheap.
    EngineStatistics statistics();

    /// Cancels every generation. Idempotent.
    @Override
    void close();
}
