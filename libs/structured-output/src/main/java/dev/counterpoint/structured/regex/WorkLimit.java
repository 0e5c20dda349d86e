package dev.counterpoint.structured.regex;

import org.jspecify.annotations.Nullable;

/// The work that the current thread may still do for one grammar, in steps: a step makes one state, rule or item,
/// and costs below a microsecond and a few hundred bytes. Without a limit nothing is counted.
public final class WorkLimit implements AutoCloseable {
    private static final ThreadLocal<@Nullable WorkLimit> CURRENT = new ThreadLocal<>();

    private final @Nullable WorkLimit outer;
    private final long allowed;
    private long left;

    private WorkLimit(@Nullable WorkLimit outer, long allowed) {
        this.outer = outer;
        this.allowed = allowed;
        this.left = allowed;
    }

    /// Counts what this thread does until the limit is closed; a limit inside another one counts for itself.
    public static WorkLimit of(long steps) {
        var limit = new WorkLimit(CURRENT.get(), steps);
        CURRENT.set(limit);
        return limit;
    }

    /// Does this many steps.
    ///
    /// @throws TooComplexException when more was done than allowed
    public static void spend(long steps) {
        var limit = CURRENT.get();
        if (limit != null) {
            limit.left -= steps;
            if (limit.left < 0) {
                throw new TooComplexException(
                        "The grammar is too complex: it needs more than " + limit.allowed + " steps.");
            }
        }
    }

    /// Steps done so far.
    public long spent() {
        return allowed - left;
    }

    @Override
    public void close() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
