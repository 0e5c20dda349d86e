package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.SummaryTier;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// Meters of a summarizer. Nothing of a request is in them.
final class SummarizerMetrics {
    private final MeterRegistry registry;
    private final Counter ends;
    private final Counter withheld;
    private final Counter failures;
    private final Counter lost;
    private final Counter refused;

    SummarizerMetrics(MeterRegistry registry) {
        this.registry = registry;
        ends = counter("ends", "Reasoning messages closed");
        withheld = counter("withheld", "Of these, those of which nothing was said though there was something to say");
        failures = counter("failures", "Summaries that ended early because something could not be read");
        lost = counter("lost", "Times that frames had to be appended again");
        refused = counter("refused", "Responses not followed because too many were");
    }

    private Counter counter(String name, String description) {
        return Counter.builder("counterpoint.summarizer." + name)
                .description(description)
                .register(registry);
    }

    /// @param followed responses followed now
    /// @param lagMillis how far behind
    void watch(Supplier<Number> followed, Supplier<Number> lagMillis) {
        Gauge.builder("counterpoint.summarizer.followed", followed)
                .description("Responses whose summary is being made")
                .register(registry);
        Gauge.builder("counterpoint.summarizer.lag", lagMillis)
                .baseUnit("milliseconds")
                .description("Age of the oldest frame not yet read; 0 when all are")
                .register(registry);
    }

    void appended(List<SummaryPositions.Due> frames, String language) {
        for (var due : frames) {
            (due.frame().kind() == FrameKind.SUMMARY ? parts(due.tier(), language) : ends).increment();
            withheld.increment(due.withheld() ? 1 : 0);
        }
    }

    private Counter parts(SummaryTier tier, String language) {
        return Counter.builder("counterpoint.summarizer.parts")
                .description("Parts of summaries appended")
                .tag("tier", tier.name().toLowerCase(Locale.ROOT))
                .tag("language", language)
                .register(registry);
    }

    /// @param outcomes outcomes of changes assigned to a model
    /// @param language of the summary
    void written(List<String> outcomes, String language) {
        for (var outcome : outcomes) {
            Counter.builder("counterpoint.summarizer.written")
                    .description("Changes that a model was to tell: shown, decided, or why cues describe them")
                    .tag("verdict", outcome)
                    .tag("language", language)
                    .register(registry)
                    .increment();
        }
    }

    /// A model wrote a draft, or tried to.
    void drafted(int promptTokens, int sampledTokens) {
        draftTokens("prompt").increment(promptTokens);
        draftTokens("sampled").increment(sampledTokens);
    }

    private Counter draftTokens(String kind) {
        return Counter.builder("counterpoint.summarizer.draft.tokens")
                .description("Tokens of drafts, which are in nobody's usage")
                .tag("kind", kind)
                .register(registry);
    }

    void failed() {
        failures.increment();
    }

    void lost() {
        lost.increment();
    }

    void refused() {
        refused.increment();
    }
}
