package dev.counterpoint.structured.regex;

/// The work that may be done for one grammar or one sequence. A step makes one state, rule or item: it costs some
/// microseconds and a few hundred bytes. Counted in steps and not in time, so that the same work always fits or never
/// does. One thread at a time works; any thread may cancel.
public final class WorkBudget {
    /// Steps after which a thread lets others run: about a millisecond.
    private static final int STEPS_IN_A_ROW = 100;

    private final long stepsMax;
    private long left;
    private long expressionsLeft;
    private long spent;
    private long yieldedAt;
    private volatile boolean cancelled;

    /// @param expressions how many may be made and kept in memory
    public WorkBudget(long steps, long expressions) {
        stepsMax = steps;
        left = steps;
        expressionsLeft = expressions;
    }

    /// Allows more steps, at most as many as at first. A budget that was exceeded stays so.
    public void refill(long steps) {
        if (left >= 0) {
            left = Math.min(stepsMax, left + steps);
        }
    }

    /// Ends the work with its next step. Any thread.
    public void cancel() {
        cancelled = true;
    }

    void spend(long steps) {
        spent += steps;
        left -= steps;
        check();
    }

    void keep() {
        expressionsLeft--;
        spend(1);
    }

    private void check() {
        if (left < 0 || expressionsLeft < 0) {
            left = -1;
            throw new TooComplexException("The grammar is too complex: it needs more than " + stepsMax + " steps.");
        }
        if (cancelled) {
            throw new TooComplexException("The work was cancelled.");
        }
    }

    void letOthersRun() {
        if (spent - yieldedAt >= STEPS_IN_A_ROW) {
            yieldedAt = spent;
            Thread.yield();
        }
    }

    long spent() {
        return spent;
    }
}
