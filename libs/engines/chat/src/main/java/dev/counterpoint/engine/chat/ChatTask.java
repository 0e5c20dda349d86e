package dev.counterpoint.engine.chat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice.Mode;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.split.Extraction;
import dev.counterpoint.engine.chat.split.HarmonyText;
import dev.counterpoint.engine.chat.split.ModelPart;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A job for a model that shows its reasoning in these ways.
///
/// @param job with its prompt open
/// @param known what is known of the model
/// @param strategies of the model
record ChatTask(GenerationJob job, KnownModel known, List<ReasoningStrategy> strategies) {
    /// The function by which a model reports its reasoning; never a call for the client.
    static final String REPORT = "report_reasoning";

    /// The argument of a function that takes plain text.
    static final String INPUT = "input";

    private static final String USUAL_EFFORT = "medium";
    private static final MarkPair THINK = new MarkPair("<think>", "</think>");

    private static final Set<ReasoningStrategy> ASKED =
            Set.of(ReasoningStrategy.ENVELOPE, ReasoningStrategy.REPORT_REASONING, ReasoningStrategy.MARKERS);

    /// @param named the strategies that the operator names; empty leaves them to what is known
    static ChatTask of(GenerationJob job, KnownModel known, List<ReasoningStrategy> named) {
        return new ChatTask(job, known, named.isEmpty() ? ReasoningStrategy.fitting(known) : named);
    }

    /// True if the model is to show its reasoning: unless the request has turned it off.
    boolean reasons() {
        var limit = job.reasoning().tokensMax();
        return limit == null || limit > 0;
    }

    /// How the model shows reasoning in its text.
    TextRule rule() {
        return held(known.rule());
    }

    /// Arguments of the template may change the text of the model: nothing is shown before it is whole.
    private TextRule held(TextRule rule) {
        boolean usual = job.options().templateArguments().isEmpty();
        return usual || rule.unmarked() != Unmarked.ANSWER ? rule : rule.with(Unmarked.ANSWER_WHEN_WHOLE);
    }

    /// The members by which the request turns thinking on or off.
    ThinkingSwitch.Setting thinking() {
        if (!known.switches()) {
            return ThinkingSwitch.NONE.on();
        }
        return reasons() ? known.control().on() : known.control().off();
    }

    /// True if the model takes an effort, and the request names one.
    boolean tellsEffort() {
        // An older gateway does not say whether the request named it.
        boolean named = job.options().effortSaid() || !job.effort().equals(USUAL_EFFORT);
        return named && reasons() && known.control().effort();
    }

    /// True if the server holds the answer to a form that the request for it has.
    boolean sendsForm() {
        return known.takesSchemas()
                && (!offersFunctions()
                        || known.schemasBesideTools() && !job.choice().forcesCall());
    }

    /// True if the client's own schema is that form. Then there is no room for an envelope or marks, and the
    /// answer stands alone.
    boolean sendsSchema() {
        return sendsForm() && schema() != null;
    }

    /// The strategy by which the model is asked for its reasoning; empty when it is not asked, or shows its
    /// reasoning by itself. Where unmarked text is not known to be the answer it is asked in any case,
    /// because that is how the answer is found.
    Optional<ReasoningStrategy> asked() {
        boolean asks = reasons() || rule().unmarked() == Unmarked.UNKNOWN;
        return asks
                ? strategies.stream()
                        .filter(ASKED::contains)
                        .filter(strategy -> strategy == ReasoningStrategy.REPORT_REASONING || !sendsSchema())
                        .filter(strategy -> strategy != ReasoningStrategy.ENVELOPE || !ownMembers())
                        .findFirst()
                : Optional.empty();
    }

    boolean asks(ReasoningStrategy strategy) {
        return asked().filter(strategy::equals).isPresent();
    }

    /// True if the client's own form has a member that an envelope has, so that the two could be mixed up.
    private boolean ownMembers() {
        var schema = schema();
        return schema != null && EnvelopeStage.hasMembers(schema);
    }

    private @Nullable String schema() {
        var format = job.format();
        return format == null ? null : format.schema();
    }

    /// True if the model reports its reasoning by a call. A client's own function of that name is the
    /// client's.
    boolean reports() {
        return asks(ReasoningStrategy.REPORT_REASONING)
                && job.tools().stream().noneMatch(tool -> tool.name().equals(REPORT));
    }

    /// True if the model may call functions of the client.
    boolean offersFunctions() {
        return !job.tools().isEmpty() && job.choice().mode() != Mode.NONE;
    }

    /// True if the job declares a function of this name that takes plain text in the place of JSON. A server of
    /// Chat Completions knows no such function, so it is told of one with an argument for the text.
    boolean takesPlainText(String function) {
        return job.tools().stream()
                .anyMatch(tool -> tool.input() != null && tool.name().equals(function));
    }

    /// True if it is asked afterwards for the reasons that it did not show.
    boolean asksAfterwards() {
        return reasons() && strategies.contains(ReasoningStrategy.POST_HOC);
    }

    /// The marks by which the model writes its reasoning; empty where it writes none.
    Optional<MarkPair> marks() {
        if (rule().harmony()) {
            return Optional.empty();
        }
        if (strategies.contains(ReasoningStrategy.THINK) || strategies.contains(ReasoningStrategy.THINK_OPEN)) {
            var family = known.family();
            return Optional.of(
                    family == null || family.reasoning().isEmpty()
                            ? THINK
                            : family.reasoning().getFirst());
        }
        return strategies.contains(ReasoningStrategy.MARKERS)
                ? Optional.of(ReasoningInstructions.MARKS)
                : Optional.empty();
    }

    /// @param reported whether the model has reported its reasoning, so that unmarked text is the answer
    Extraction extraction(boolean reported, Consumer<? super ModelPart> out) {
        var rule = reported ? held(rule().with(Unmarked.ANSWER)) : rule();
        if (rule.harmony()) {
            return new HarmonyText(out);
        }
        var terms = new EnvelopeTerms(asks(ReasoningStrategy.ENVELOPE), false, job.format() != null, ownMembers());
        return new ReasoningExtractor(rule, terms, out);
    }
}
