package dev.counterpoint.engine.simulated;

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
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Set;

/// An engine without a model. Its output is a pure function of prompt and mask, so any instance resumes any attempt
/// exactly; only a [VerifiableRecital] differs from attempt to attempt. It obeys bans by logit bias and makes up log
/// probabilities; other sampling changes nothing.
public final class SimulatedEngine implements Engine {
    private final SimulatedOptions options;
    private final EngineDescription description;
    private final Slots<SimulatedGeneration> slots;

    public SimulatedEngine(SimulatedOptions options) {
        this.options = options;
        this.slots = new Slots<>(options.slots());
        this.description = new EngineDescription(
                "simulated",
                options.model(),
                "Simulated stand-in for " + options.model() + ": deterministic, no model behind it",
                options.contextLength(),
                (long) options.slots() * options.contextLength(),
                options.slots(),
                HarmonyTokenizer.shared().vocabularySize(),
                Set.of(Ability.MASKS, Ability.LOGPROBS, Ability.RESUMES_DRAWS, Ability.CONTINUES_INSIDE_CONSTRAINT));
    }

    @Override
    public EngineDescription describe() {
        return description;
    }

    @Override
    public Generation start(GenerationRequest request, TokenSink sink) {
        request.requireIdsOf(description.vocabularySize());
        var generation = slots.take(() -> new SimulatedGeneration(request, options, sink, slots::release));
        generation.begin();
        return generation;
    }

    @Override
    public EngineHealth health() {
        return slots.closed()
                ? EngineHealth.CLOSED
                : new EngineHealth(
                        Status.READY, slots.free(), (long) slots.free() * options.contextLength(), "simulated");
    }

    @Override
    public EngineStatistics statistics() {
        return new EngineStatistics(0, 0, 0, 0, 0);
    }

    @Override
    public void close() {
        slots.close();
    }
}
