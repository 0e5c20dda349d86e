package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.SummaryTier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the summary came about that a caller gets, and the warnings for one who does not get all that the model said, or
/// not all of the reasoning that was asked for, raw or summed up. Raw reasoning never replaces a summary. Collects what
/// becomes of the summary; not thread-safe.
public final class ReasoningAvailability {
    private static final String DESCRIBED = "described";
    private static final String WRITTEN = "written";

    private static final List<String> WITHHELD = List.of(
            "reasoning_unavailable: a reasoning summary was asked for, but nothing of the reasoning could be shown"
                    + " safely.");
    private static final List<String> NOT_MADE =
            List.of("reasoning_unavailable: a reasoning summary was asked for, but could not be made in time.");
    private static final List<String> CUT_OFF =
            List.of("reasoning_unavailable: the reasoning summary is incomplete: the rest could not be made in time.");

    private static final List<String> MISSING =
            List.of("reasoning_unavailable: the model showed no reasoning that can be told from its answer.");
    private static final List<String> AFTERWARDS = List.of(
            "reasoning_unavailable: the model showed no reasoning; what is shown are the reasons that it gave after its"
                    + " answer.");
    private static final List<String> UNTOLD = List.of(
            "reasoning_unavailable: some or all of what the model said cannot be told from its reasoning and is not"
                    + " shown as the answer.");

    private static final String LATE =
            "reasoning_late: the model's server told reasoning apart only after some of the answer had been shown; what"
                    + " was shown before may be reasoning, too.";

    private static final String TOO_COMPLEX =
            "grammar_too_complex: the answer ends here because a grammar or schema of the request is too complex, or"
                    + " lets nothing more follow.";

    private static final String UNDECLARED =
            "undeclared_tool_call: the model called %s, which the request does not offer; the call is not shown.";
    private static final String EMPTY = "empty_answer: the model ended without an answer and without a call.";

    /// For a turn that goes on from calls whose reasoning is kept no more.
    public static final String ANALYSIS_LOST =
            "reasoning_lost: the tool turn that this request goes on with was answered"
                    + " before, is too old, or is not kept here, so the model does not see what it thought in that"
                    + " turn.";

    private final boolean raw;
    private final boolean due;
    private boolean answered;
    private boolean reasoned;
    private boolean shown;
    private @Nullable String tier;
    private boolean abandoned;

    /// @param raw whether the caller gets raw reasoning
    /// @param due whether the caller is to get a summary
    public ReasoningAvailability(boolean raw, boolean due) {
        this.raw = raw;
        this.due = due;
    }

    /// More of what the caller is shown.
    public void visible(Delta delta) {
        boolean call = delta.header() != null && delta.header().recipient() != null;
        answered |= call || !delta.text().isEmpty();
    }

    /// The model reasons.
    public void reasoned() {
        reasoned = true;
    }

    /// A part of the summary was shown.
    public void shown(SummaryTier how) {
        shown = true;
        tier = switch (how) {
            // What was written is not undone by a part that only describes.
            case DESCRIBED, DECIDED -> WRITTEN.equals(tier) ? WRITTEN : DESCRIBED;
            case WRITTEN -> WRITTEN;
            case UNNAMED -> null;
        };
    }

    /// How the summary that was shown came about; null where none was, or nobody says.
    public @Nullable String tier() {
        return tier;
    }

    /// No more comes.
    public void abandoned() {
        abandoned = true;
    }

    /// What the request is told anyhow, and then the warnings of [#warnings] and what else is to be known of the
    /// reasoning; null for none.
    ///
    /// @param notes null for none
    public @Nullable List<String> warnings(@Nullable List<String> notes, @Nullable TurnEnding ending) {
        if (ending == null) {
            return null;
        }
        var all = new ArrayList<String>();
        addAll(all, notes);
        if (ending instanceof TurnEnding.Truncated truncated && truncated.tooComplex()) {
            all.add(TOO_COMPLEX);
        }
        var used = used(ending);
        if (used != null && used.reasoning() == End.Reasoning.LATE) {
            all.add(LATE);
        }
        addAll(all, warnings(ending));
        if (used != null) {
            used.undeclaredCalls().forEach(name -> all.add(UNDECLARED.formatted(quoted(name))));
            boolean told = used.reasoning() == End.Reasoning.UNTOLD
                    || !used.undeclaredCalls().isEmpty();
            if (used.finish() == End.Finish.STOP && !answered && !told) {
                all.add(EMPTY);
            }
        }
        return all.isEmpty() ? null : List.copyOf(all);
    }

    private static String quoted(String name) {
        return name.isEmpty() ? "a tool" : "'" + name + "'";
    }

    private static void addAll(List<String> all, @Nullable List<String> more) {
        if (more != null) {
            all.addAll(more);
        }
    }

    /// Null where nothing was answered.
    private static @Nullable End used(@Nullable TurnEnding ending) {
        return ending != null && ending.answered() ? ending.used() : null;
    }

    /// Sentences for people about missing reasoning; null where none is missing or nothing was answered.
    public @Nullable List<String> warnings(@Nullable TurnEnding ending) {
        var used = used(ending);
        return used == null
                ? null
                : switch (used.reasoning()) {
                    case TOLD, LATE -> ofSummary();
                    case AFTERWARDS -> raw ? AFTERWARDS : ofSummary();
                    case MISSING -> raw || due ? MISSING : null;
                    // Even who asked for no reasoning misses some of the answer.
                    case UNTOLD -> UNTOLD;
                };
    }

    private @Nullable List<String> ofSummary() {
        if (!due || !reasoned || shown && !abandoned) {
            return null;
        }
        if (!abandoned) {
            return WITHHELD;
        }
        return shown ? CUT_OFF : NOT_MADE;
    }
}
