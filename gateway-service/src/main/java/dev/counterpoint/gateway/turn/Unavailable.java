package dev.counterpoint.gateway.turn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a caller reads who asked for a summary of the reasoning and does not get all of it. Raw reasoning never stands
/// in. Collects what becomes of the summary; not thread-safe.
public final class Unavailable {
    private static final List<String> WITHHELD = List.of(
            "reasoning_unavailable: a reasoning summary was asked for, but nothing of the reasoning could be shown"
                    + " safely.");
    private static final List<String> NOT_MADE =
            List.of("reasoning_unavailable: a reasoning summary was asked for, but could not be made in time.");
    private static final List<String> CUT_OFF =
            List.of("reasoning_unavailable: the reasoning summary is incomplete: the rest could not be made in time.");

    private final boolean due;
    private boolean reasoned;
    private boolean shown;
    private boolean abandoned;

    /// @param due whether the caller is to get a summary
    public Unavailable(boolean due) {
        this.due = due;
    }

    /// The model reasons.
    public void reasoned() {
        reasoned = true;
    }

    /// A sentence was shown.
    public void shown() {
        shown = true;
    }

    /// No more comes.
    public void abandoned() {
        abandoned = true;
    }

    /// Why the summary is not whole, for people; null where nothing is missing or nothing was answered.
    public @Nullable List<String> warnings(@Nullable Ending ending) {
        boolean answered = ending != null && ending.answered();
        if (!due || !reasoned || !answered || shown && !abandoned) {
            return null;
        }
        if (!abandoned) {
            return WITHHELD;
        }
        return shown ? CUT_OFF : NOT_MADE;
    }
}
