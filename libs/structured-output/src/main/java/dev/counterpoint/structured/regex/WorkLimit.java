package dev.counterpoint.structured.regex;

import org.jspecify.annotations.Nullable;

/// Counts the work of the current thread for one grammar against a [WorkBudget], until it is closed. Without a limit
/// nothing is counted.
public final class WorkLimit implements AutoCloseable {
    private static final ThreadLocal<@Nullable WorkLimit> CURRENT = new ThreadLocal<>();
    /// Visiting so many nodes of a trie counts as one step of work.
    private static final int NODES_PER_STEP = 256;

    private final @Nullable WorkLimit outer;
    private final WorkBudget budget;

    private WorkLimit(@Nullable WorkLimit outer, WorkBudget budget) {
        this.outer = outer;
        this.budget = budget;
    }

    /// A limit with a budget of its own.
    public static WorkLimit of(long steps) {
        return of(new WorkBudget(steps, Long.MAX_VALUE));
    }

    /// Counts what this thread does until the limit is closed; a limit inside another one counts for itself.
    public static WorkLimit of(WorkBudget budget) {
        var limit = new WorkLimit(CURRENT.get(), budget);
        CURRENT.set(limit);
        return limit;
    }

    /// Does this many steps.
    ///
    /// @throws TooComplexException when the budget is spent or cancelled
    public static void spend(long steps) {
        var limit = CURRENT.get();
        if (limit != null) {
            limit.budget.spend(steps);
        }
    }

    /// Keeps one more expression in memory.
    ///
    /// @throws TooComplexException as [#spend]
    static void keep() {
        var limit = CURRENT.get();
        if (limit != null) {
            limit.budget.keep();
        }
    }

    /// Visits the next node of a trie, or place of an automaton; holds no lock, so other threads may run here.
    ///
    /// @param visited number of nodes visited before
    /// @throws TooComplexException as [#spend]
    public static void visit(int visited) {
        var limit = visited % NODES_PER_STEP == NODES_PER_STEP - 1 ? CURRENT.get() : null;
        if (limit != null) {
            limit.budget.spend(1);
            limit.budget.letOthersRun();
        }
    }

    /// Steps done so far.
    public long spent() {
        return budget.spent();
    }

    @Override
    public void close() {
        budget.rest();
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
