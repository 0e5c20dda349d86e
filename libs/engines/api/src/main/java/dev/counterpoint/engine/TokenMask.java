package dev.counterpoint.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The tokens that may come next: a constraint that walks along with one generation.
///
/// A mask has state and belongs to one generation. The engine first calls [#accept] for every token of the
/// request's prefix, in order; then, for each step, [#allowed] and, when a token was chosen, [#accept]. Calls
/// come from one thread at a time, each after the last has finished. Stop tokens are tokens like any other:
/// the mask allows them when the output may end.
public interface TokenMask {
    /// No constraint. Without state, so everybody may share it.
    TokenMask ALL = new TokenMask() {
        @Override
        public long @Nullable [] allowed() {
            return null;
        }

        @Override
        public void accept(int token) {
            // Nothing follows from a token when everything is allowed.
        }
    };

    /// The tokens that may come next: token `t` may if bit `t & 63` of word `t >> 6` is set; words that are
    /// missing at the end count as 0. Null allows everything, all zero stops the generation with
    /// [StopReason#NO_TOKEN]. The
    /// array is the mask's own: read it before the next call, never write to it.
    long @Nullable [] allowed();

    /// Waits for the work that [#allowed] needs, so that an engine can see to other sequences meanwhile.
    ///
    /// @param patience how long, at most
    /// @return whether [#allowed] answers at once
    default boolean ready(Duration patience) throws InterruptedException {
        return true;
    }

    /// The output goes on with this token. A mask with a [#rest] takes every one: what it cannot follow ends its
    /// hold, and whoever asked for it judges the output.
    ///
    /// @throws IllegalArgumentException when the mask did not allow it, which only a prefix made under another
    ///     constraint can bring about; the engine then stops the generation as failed
    void accept(int token);

    /// A few tokens that would end the output from here, for an engine without a model of its own. Null where the
    /// mask knows none.
    default int @Nullable [] ending() {
        return null;
    }

    /// Whether a token may come next. Narrower than [#allowed] where the mask holds a form that is too large to be
    /// told in tokens: see [#rest].
    default boolean takes(int token) {
        return allows(allowed(), token);
    }

    /// Ends work on a set that is under way, and all further work: then nothing is allowed. An engine that computes
    /// with masks calls it when a generation is cancelled. Any thread.
    default void cancel() {
        // Most masks do no work to speak of.
    }

    /// The whole rest of the output as a grammar, for a server that enforces one by itself.
    ///
    /// @return null when the mask has no such form, or cannot write it down
    default @Nullable String rest(GrammarNotation notation) {
        return null;
    }

    /// Reads one bit of what [#allowed] returned.
    static boolean allows(long @Nullable [] allowed, int token) {
        if (allowed == null) {
            return true;
        }
        int word = token >> 6;
        return word < allowed.length && (allowed[word] & (1L << token)) != 0;
    }
}
