package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkBudget;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Follows one sequence of tokens and determines the possible next tokens. The accepted tokens are always the start
/// of some matching text. Not thread-safe.
public final class Matcher {
    /// The work for one mask, and for all that come before its tokens have earned more: see [#STEPS_PER_TOKEN].
    static final long STEPS_MAX = 200_000;
    /// What a token adds to the work that is left. A mask that walks the whole vocabulary needs some 5,000, as each
    /// place of a counted repetition does once; when all is known, a mask needs some ten.
    private static final long STEPS_PER_TOKEN = 4_000;
    /// Expressions that one sequence may leave in memory, some hundred bytes each: a text of 100,000 characters under
    /// a limit of its length needs 300,000.
    private static final long EXPRESSIONS_MAX = 400_000;

    private final Constraint constraint;
    private final WorkBudget budget;
    private Reached reached;

    /// Where a token led. Copies share the way that they came.
    ///
    /// @param before null at the start of the text
    private record Reached(ParseState state, @Nullable Reached before) {}

    Matcher(Constraint constraint, ParseState state) {
        this(constraint, new Reached(state, null), new WorkBudget(STEPS_MAX, EXPRESSIONS_MAX));
    }

    private Matcher(Constraint constraint, Reached reached, WorkBudget budget) {
        this.constraint = constraint;
        this.budget = budget;
        this.reached = reached;
    }

    /// Makes the mask be the tokens that may come next. None may when [#ended] holds.
    ///
    /// @throws dev.counterpoint.structured.regex.TooComplexException when that takes more work than is left, or
    ///     after [#cancel]; then for ever
    public void mask(TokenBits into) {
        into.clear();
        try (var _ = WorkLimit.of(budget)) {
            constraint.addTokens(reached.state, into);
        }
        constraint.vocabulary().addTwins(into);
    }

    /// Takes the next token.
    ///
    /// @return false, and nothing changes, when it must not come
    /// @throws dev.counterpoint.structured.regex.TooComplexException as [#mask]
    public boolean accept(int token) {
        if (token < 0 || token >= constraint.vocabulary().size()) {
            return false;
        }
        return accept(constraint.vocabulary().text(token));
    }

    /// Takes the next bytes as one token.
    ///
    /// @return false, and nothing changes, when they must not come or are none
    public boolean accept(byte[] text) {
        if (text.length == 0) {
            return false;
        }
        var next = after(text);
        if (next == null) {
            return false;
        }
        reached = new Reached(next, reached);
        budget.refill(STEPS_PER_TOKEN);
        return true;
    }

    private @Nullable ParseState after(byte[] text) {
        ParseState next = reached.state;
        try (var _ = WorkLimit.of(budget)) {
            for (int i = 0; i < text.length && next != null; i++) {
                next = next.step(text[i] & 0xff, constraint.rows());
            }
        }
        return next;
    }

    /// Takes the last tokens back.
    ///
    /// @param tokens at most as many as were accepted
    public void rollback(int tokens) {
        for (int i = 0; i < tokens; i++) {
            var before = reached.before;
            if (before == null) {
                throw new NoSuchElementException("no token to take back");
            }
            reached = before;
        }
    }

    /// True if the text may end here.
    public boolean accepting() {
        return reached.state.accepting();
    }

    /// True if nothing may follow.
    public boolean ended() {
        return reached.state.ended();
    }

    /// The texts that may still come, as a grammar of their own; and those that only a
    /// [dev.counterpoint.structured.grammar.Guard] forbids, since it has none.
    ///
    /// @throws dev.counterpoint.structured.regex.TooComplexException when that takes too much work
    public Grammar rest() {
        try (var _ = WorkLimit.of(STEPS_MAX)) {
            return new Remainder(constraint.grammar(), new GrammarBuilder(constraint.regexes())).of(reached.state);
        }
    }

    /// A short text that ends the whole text from here.
    ///
    /// @return null where none is found in the work allowed
    public byte @Nullable [] ending() {
        try (var _ = WorkLimit.of(budget)) {
            var text = new ShortEnding(constraint.grammar(), constraint.costs()).of(reached.state);
            var end = text == null ? null : after(text);
            return end != null && end.accepting() ? text : null;
        } catch (TooComplexException _) {
            return null;
        }
    }

    /// One at the same place that goes its own way, on the same budget of work. Costs nothing.
    public Matcher copy() {
        return new Matcher(constraint, reached, budget);
    }

    /// Ends the work that is under way here and in copies; there is none after that. Any thread.
    public void cancel() {
        budget.cancel();
    }
}
