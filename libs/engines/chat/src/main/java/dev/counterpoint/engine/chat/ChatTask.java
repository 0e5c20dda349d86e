package dev.counterpoint.engine.chat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice.Mode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A job for a model that shows its reasoning in these ways.
///
/// @param job with its prompt open
/// @param strategies of the model
record ChatTask(GenerationJob job, List<ReasoningStrategy> strategies) {
    /// The function by which a model reports its reasoning; never a call for the client.
    static final String REPORT = "report_reasoning";

    /// The argument of a function that takes plain text.
    static final String INPUT = "input";

    private static final Set<ReasoningStrategy> ASKED =
            Set.of(ReasoningStrategy.ENVELOPE, ReasoningStrategy.REPORT_REASONING, ReasoningStrategy.MARKERS);

    /// True if the model is to show its reasoning: unless the request has turned it off.
    boolean reasons() {
        var limit = job.reasoning().tokensMax();
        return limit == null || limit > 0;
    }

    /// The strategy by which the model is asked for its reasoning; empty when it is not asked, or shows its
    /// reasoning by itself.
    Optional<ReasoningStrategy> asked() {
        return reasons() ? strategies.stream().filter(ASKED::contains).findFirst() : Optional.empty();
    }

    /// True if the model reports its reasoning by a call. A client's own function of that name is the
    /// client's.
    boolean reports() {
        return asked().filter(ReasoningStrategy.REPORT_REASONING::equals).isPresent()
                && job.tools().stream().noneMatch(tool -> tool.name().equals(REPORT));
    }

    /// True if the model may call functions of the client.
    boolean offersFunctions() {
        return !job.tools().isEmpty() && job.choice().mode() != Mode.NONE;
    }

    /// True if the job declares a function of this name that takes plain text in the place of JSON. A server of Chat
    /// Completions knows no such function, so it is told of one with an argument for the text.
    boolean takesPlainText(String function) {
        return job.tools().stream()
                .anyMatch(tool -> tool.input() != null && tool.name().equals(function));
    }

    /// True if it is asked afterwards for the reasons that it did not show.
    boolean asksAfterwards() {
        return reasons() && strategies.contains(ReasoningStrategy.POST_HOC);
    }

    ReasoningExtractor extraction() {
        return new ReasoningExtractor(strategies, reasons(), job.format() != null);
    }
}
