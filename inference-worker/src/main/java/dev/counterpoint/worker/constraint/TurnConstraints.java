package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.ConstraintCache;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The constraints of turns, compiled once each and kept while they are used. Each tenant has its own cache, so the
/// latency of a first request reveals nothing about other tenants. Thread-safe.
final class TurnConstraints {
    /// Control tokens that a model writes; all others never come.
    private static final Set<Integer> CONTROL = Set.of(
            SpecialTokens.RETURN,
            SpecialTokens.CONSTRAIN,
            SpecialTokens.CHANNEL,
            SpecialTokens.START,
            SpecialTokens.END,
            SpecialTokens.MESSAGE,
            SpecialTokens.CALL);

    private final ConstraintCache kept = new ConstraintCache(new LexemeIndex(vocabulary()));

    /// @param form the rules of a turn, the schema of a value, or the grammar of an input
    private record Key(String tenant, Object form) {}

    /// @param schema null for any object
    private record Value(@Nullable String schema) {}

    private static final class Holder {
        static final TurnConstraints SHARED = new TurnConstraints();
    }

    /// Those of this process. What they find out takes up to a quarter of the heap: see [LexemeIndex].
    static TurnConstraints shared() {
        return Holder.SHARED;
    }

    private static TokenVocabulary vocabulary() {
        var tokenizer = HarmonyTokenizer.shared();
        var texts = new byte[tokenizer.vocabularySize()][];
        Arrays.setAll(texts, TurnConstraints::text);
        return new TokenVocabulary(texts);
    }

    private static byte[] text(int token) {
        if (SpecialTokens.isSpecial(token)) {
            return CONTROL.contains(token) ? TurnGrammar.special(token) : new byte[0];
        }
        var text = HarmonyTokenizer.shared().bytes(token);
        // A byte that no UTF-8 has, so no answer needs the token of it.
        return (text[0] & 0xff) == TokenVocabulary.SPECIAL ? new byte[0] : text;
    }

    /// Compiles at most once at a time for one tenant.
    ///
    /// @throws IllegalArgumentException when a strict schema cannot be enforced
    Constraint of(String tenant, TurnRules rules) {
        return kept.of(new Key(tenant, rules), pool -> TurnGrammar.of(rules, pool));
    }

    /// That of a value alone, however its writer orders its properties.
    ///
    /// @param schema null for any object
    /// @throws IllegalArgumentException when the schema cannot be enforced
    Constraint ofValue(String tenant, @Nullable String schema) {
        return kept.of(new Key(tenant, new Value(schema)), pool -> TurnGrammar.ofValue(schema, pool));
    }

    /// That of a tool's input alone.
    ///
    /// @throws IllegalArgumentException when the grammar cannot be enforced
    Constraint ofInput(String tenant, InputGrammar input) {
        return kept.of(new Key(tenant, input), pool -> TurnGrammar.ofInput(input, pool));
    }

    ConstraintStatistics statistics() {
        return new ConstraintStatistics(kept.compiled(), kept.compileNanos(), kept.reused());
    }
}
