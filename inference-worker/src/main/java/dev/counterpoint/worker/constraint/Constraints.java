package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;

/// The mask that a job puts on the model's output.
public final class Constraints {
    private static final String EXAMPLE_SCHEMA = """
            {"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"},\
            "tags":{"type":"array","items":{"type":"string"}}},\
            "required":["name","count","tags"],"additionalProperties":false}""";
    private static final String EXAMPLE = """
            {"name": "A name", "count": 12, "tags": ["one", "two"]}""";

    private Constraints() {}

    /// A fresh mask for one generation. An engine that obeys every mask keeps to the grammar of its turn: it calls
    /// declared functions alone, with arguments by their schemas, and answers in the form that was asked for. Other
    /// engines get the same grammar in their server's notation if the job has a strict form, else only the
    /// requirement of a call; the output composer withholds calls of undeclared functions.
    ///
    /// @param names of the functions that the job declares
    /// @throws IllegalArgumentException when a strict schema cannot be enforced
    public static TokenMask of(String tenant, GenerationJob job, FunctionNames names, EngineDescription engine) {
        if (engine.can(Ability.MESSAGES)) {
            // The model gets calls and reasoning in its own format.
            return TokenMask.ALL;
        }
        var rules = TurnRules.of(job, names);
        var turn = engine.can(Ability.MASKS)
                ? new TurnMask(TurnConstraints.shared().of(tenant, rules), rules)
                : rules.strict()
                        ? new TurnForm(TurnConstraints.shared().of(tenant, rules))
                        : rules.answers() ? TokenMask.ALL : new ForcedCallMask(rules);
        var limit = job.reasoning().tokensMax();
        return limit == null ? turn : new ReasoningLimitMask(limit, turn);
    }

    public static ConstraintStatistics statistics() {
        return TurnConstraints.shared().statistics();
    }

    /// Does the first job's preparation in advance: about a second of processor time.
    public static void warmUp() {
        var format = new GenerationJob.ResponseFormat("warm_up", null, EXAMPLE_SCHEMA, true);
        var rules = new TurnRules(true, true, List.of(), format);
        var mask = new TurnMask(TurnConstraints.shared().of("", rules), rules);
        mask.accept(SpecialTokens.CHANNEL);
        follow(mask, Channels.FINAL);
        mask.accept(SpecialTokens.MESSAGE);
        follow(mask, EXAMPLE);
    }

    private static void follow(TokenMask mask, String text) {
        for (int token : HarmonyTokenizer.shared().encode(text)) {
            mask.allowed();
            mask.accept(token);
        }
    }
}
