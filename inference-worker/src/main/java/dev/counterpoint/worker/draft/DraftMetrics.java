package dev.counterpoint.worker.draft;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;

/// Meters of drafts. What they cost is counted here and nowhere else: no caller asked for it. Thread-safe.
public final class DraftMetrics {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter promptTokens;
    private final Counter sampledTokens;

    /// @param engine its kind
    /// @param model as clients name it
    public DraftMetrics(MeterRegistry registry, String engine, String model) {
        this.registry = registry;
        tags = Tags.of("engine", engine, "model", model);
        promptTokens = counter("counterpoint.worker.draft.prompt.tokens", "Tokens of prompts of drafts", tags);
        sampledTokens = counter("counterpoint.worker.draft.tokens", "Tokens sampled for drafts", tags);
        for (var outcome : Outcome.values()) {
            drafts(outcome); // as 0, so that the first of each is seen as a change
        }
    }

    /// What became of a draft that was taken.
    enum Outcome {
        WRITTEN,
        /// The model did not come to an end that fits, or the bus is away.
        FAILED,
        /// No summarizer signed it for this topic.
        FORGED,
        /// Its task does not open or cannot be read.
        UNREADABLE,
        /// Nobody waits for it any more.
        LATE,
        /// There was no room for it, or this worker stops.
        TURNED_AWAY
    }

    void became(Outcome outcome) {
        drafts(outcome).increment();
    }

    void cost(DraftWriter.Draft draft) {
        promptTokens.increment(draft.promptTokens());
        sampledTokens.increment(draft.sampledTokens());
    }

    private Counter drafts(Outcome outcome) {
        return counter(
                "counterpoint.worker.drafts",
                "Drafts taken",
                tags.and("outcome", outcome.name().toLowerCase(Locale.ROOT)));
    }

    private Counter counter(String name, String description, Tags labels) {
        return Counter.builder(name).description(description).tags(labels).register(registry);
    }
}
