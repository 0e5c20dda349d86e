package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.ReasoningAvailability;
import dev.counterpoint.gateway.turn.TurnAssembler;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.openai.responses.SummaryText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects the summary of reasoning that is told again; of all else it shows nothing. Not thread-safe.
final class ReasoningSummaryAssembler implements TurnAssembler<SummaryText> {
    private final ReasoningAvailability availability = new ReasoningAvailability(false, true);
    private final List<StringBuilder> parts = new ArrayList<>();
    private @Nullable TurnEnding ending;

    @Override
    public List<SummaryText> begin() {
        return List.of();
    }

    @Override
    public List<SummaryText> accept(ModelOutput next) {
        if (ending != null) {
            throw new IllegalStateException("after the end");
        }
        switch (next) {
            case ModelOutput.Hidden _ -> availability.reasoned();
            case ModelOutput.SummarySentence sentence -> add(sentence);
            case ModelOutput.SummaryAbandoned _ -> availability.abandoned();
            case ModelOutput.Finished finished -> ending = TurnEnding.of(finished);
            case ModelOutput.Stopped stopped -> ending = TurnEnding.of(stopped);
            case ModelOutput.Passage _,
                    ModelOutput.SealedReasoning _,
                    ModelOutput.SummaryEnded _,
                    ModelOutput.Steered _ -> {}
        }
        return List.of();
    }

    private void add(ModelOutput.SummarySentence sentence) {
        if (sentence.opensPart() || parts.isEmpty()) {
            parts.add(new StringBuilder());
        }
        parts.getLast().append(sentence.text());
        availability.shown(sentence.tier());
    }

    @Override
    public Optional<TurnEnding> ending() {
        return Optional.ofNullable(ending);
    }

    /// The summary so far.
    ///
    /// @param id of the response that reasoned
    ReasoningSummary summary(String id) {
        var warnings = availability.warnings(ending);
        if (parts.isEmpty() && warnings == null) {
            return ReasoningSummary.notKept(id);
        }
        var texts = parts.stream().map(part -> new SummaryText(part.toString())).toList();
        return new ReasoningSummary(id, texts, availability.tier(), warnings == null ? null : true, warnings);
    }
}
