package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.RegexPool;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/// Constraints over one vocabulary, compiled once each and kept while they are used. Thread-safe.
public final class ConstraintCache {
    private static final int KEPT_MAX = 64;
    private static final long BYTES_MAX = Runtime.getRuntime().maxMemory() / 8;

    /// Of the expressions in all that is kept.
    private RegexPool pool = RegexPool.shared();

    private final LexemeIndex lexemes;
    private final Map<Object, CompletableFuture<Constraint>> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, CompletableFuture<Constraint>> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private final LongAdder compiled = new LongAdder();
    private final LongAdder compileNanos = new LongAdder();
    private final LongAdder reused = new LongAdder();

    /// @param lexemes of the vocabulary; what it finds out takes up to a quarter of the heap
    public ConstraintCache(LexemeIndex lexemes) {
        this.lexemes = lexemes;
    }

    /// Compiles at most once at a time for one key.
    ///
    /// @param key all that the grammar depends on, and the tenant, so that the duration of a first request does not
    ///     reveal the grammars of another tenant
    /// @param grammar makes it, out of expressions of the pool
    /// @throws IllegalArgumentException when it cannot be enforced
    public Constraint of(Object key, Function<RegexPool, Grammar> grammar) {
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
            mine.complete(new Constraint(grammar.apply(RegexPool.shared()), lexemes));
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
        long bytes = kept.values().stream().mapToLong(ConstraintCache::bytes).sum();
        var oldest = kept.values().iterator();
        while (bytes > BYTES_MAX && kept.size() > 1) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    private static long bytes(CompletableFuture<Constraint> made) {
        return made.state() == Future.State.SUCCESS ? made.resultNow().bytes() : 0;
    }

    /// The number of grammars compiled so far.
    public long compiled() {
        return compiled.sum();
    }

    /// The time that took, in nanoseconds.
    public long compileNanos() {
        return compileNanos.sum();
    }

    /// How often a kept one was used again.
    public long reused() {
        return reused.sum();
    }

    private static Constraint join(CompletableFuture<Constraint> made) {
        try {
            return made.join();
        } catch (CompletionException e) {
            throw new IllegalArgumentException("a constraint that cannot be enforced", e.getCause());
        }
    }
}
