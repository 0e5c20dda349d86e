package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The constraints of turns, compiled once each and kept while they are used. They are kept for each tenant by
/// itself: how long a first request takes tells nobody what another tenant uses. Thread-safe.
final class TurnConstraints {
    private static final int KEPT_MAX = 64;
    private static final long BYTES_MAX = Runtime.getRuntime().maxMemory() / 8;
    /// Control tokens that a model writes; all others never come.
    private static final Set<Integer> CONTROL = Set.of(
            SpecialTokens.RETURN,
            SpecialTokens.CONSTRAIN,
            SpecialTokens.CHANNEL,
            SpecialTokens.START,
            SpecialTokens.END,
            SpecialTokens.MESSAGE,
            SpecialTokens.CALL);

    /// Of the expressions in all that is kept.
    private RegexPool pool = RegexPool.shared();

    private final LexemeIndex lexemes = new LexemeIndex(vocabulary());
    private final Map<Key, CompletableFuture<Constraint>> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompletableFuture<Constraint>> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private final LongAdder compiled = new LongAdder();
    private final LongAdder compileNanos = new LongAdder();
    private final LongAdder reused = new LongAdder();

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
        return of(new Key(tenant, rules), () -> TurnGrammar.of(rules, RegexPool.shared()));
    }

    /// That of a value alone, however its writer orders its properties.
    ///
    /// @param schema null for any object
    /// @throws IllegalArgumentException when the schema cannot be enforced
    Constraint ofValue(String tenant, @Nullable String schema) {
        return of(new Key(tenant, new Value(schema)), () -> TurnGrammar.ofValue(schema, RegexPool.shared()));
    }

    /// That of a tool's input alone.
    ///
    /// @throws IllegalArgumentException when the grammar cannot be enforced
    Constraint ofInput(String tenant, InputGrammar input) {
        return of(new Key(tenant, input), () -> TurnGrammar.ofInput(input, RegexPool.shared()));
    }

    private Constraint of(Key key, Supplier<Grammar> grammar) {
        var mine = new CompletableFuture<Constraint>();
        CompletableFuture<Constraint> first;
        synchronized (kept) {
            forgetFullPool();
            first = kept.putIfAbsent(key, mine);
            trim();
        }
        if (first != null) {
            reused.increment();
            return join(first);
        }
        long begin = System.nanoTime();
        try {
            mine.complete(new Constraint(grammar.get(), lexemes));
        } catch (RuntimeException e) {
            mine.completeExceptionally(e);
            synchronized (kept) {
                kept.remove(key, mine);
            }
        } finally {
            compiled.increment();
            compileNanos.add(System.nanoTime() - begin);
        }
        return join(mine);
    }

    /// A pool that has grown to its limit is replaced. Whatever is kept would hold on to it, so all is forgotten:
    /// then its memory is free when the sequences that use it have ended.
    private void forgetFullPool() {
        var current = RegexPool.shared();
        if (pool != current) {
            pool = current;
            kept.clear();
            lexemes.clear();
        }
    }

    /// Forgets those that were not used for longest when all together have grown too large.
    private void trim() {
        long bytes = kept.values().stream().mapToLong(TurnConstraints::bytes).sum();
        var oldest = kept.values().iterator();
        while (bytes > BYTES_MAX && kept.size() > 1) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    private static long bytes(CompletableFuture<Constraint> made) {
        return made.state() == Future.State.SUCCESS ? made.resultNow().bytes() : 0;
    }

    ConstraintStatistics statistics() {
        return new ConstraintStatistics(compiled.sum(), compileNanos.sum(), reused.sum());
    }

    private static Constraint join(CompletableFuture<Constraint> made) {
        try {
            return made.join();
        } catch (CompletionException e) {
            throw new IllegalArgumentException("a constraint that cannot be enforced", e.getCause());
        }
    }
}
