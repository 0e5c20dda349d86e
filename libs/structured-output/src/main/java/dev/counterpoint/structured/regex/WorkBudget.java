package dev.counterpoint.structured.regex;

import java.util.concurrent.Semaphore;

/// The work that may be done for one grammar or one sequence. A step makes one state, rule or item: it costs some
/// microseconds and a few hundred bytes. Counted in steps and not in time, so that the same work always fits or never
/// does. One thread at a time works; any thread may cancel.
public final class WorkBudget {
    /// Steps after which a thread lets others run: about a millisecond.
    private static final int STEPS_IN_A_ROW = 100;
    /// Steps after which a piece of work is heavy: twice what a walk through the whole vocabulary needs.
    private static final int LIGHT_STEPS_MAX = 10_000;
    /// Heavy work takes turns on half of the processors, so that others keep the rest.
    private static final Semaphore HEAVY =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    private final long stepsMax;
    private long left;
    private long expressionsLeft;
    private long spent;
    private long yieldedAt;
    private long begunAt;
    private boolean holdsTurn;
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
            giveTurn();
            if (spent - begunAt > LIGHT_STEPS_MAX) {
                HEAVY.acquireUninterruptibly();
                holdsTurn = true;
            } else {
                Thread.yield();
            }
        }
    }

    /// A piece of work is over.
    void rest() {
        giveTurn();
        begunAt = spent;
    }

    private void giveTurn() {
        if (holdsTurn) {
            holdsTurn = false;
            HEAVY.release();
        }
    }

    long spent() {
        return spent;
    }
}
