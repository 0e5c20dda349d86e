package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.Utf8Stream;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Holds a turn to its grammar, and ends its reasoning when that has had its tokens. Not thread-safe.
final class ModelMask implements TokenMask {
    private static final long[] NOTHING = {};

    private final Matcher matcher;
    private final TokenBits bits;
    private final @Nullable ReasoningBound bound;
    /// Tokens that end the reasoning, and have to come next.
    private final Deque<Integer> forced = new ArrayDeque<>();
    private boolean known;
    private boolean tooComplex;

    /// @param bound of the reasoning; null for none
    ModelMask(Constraint constraint, @Nullable ReasoningBound bound) {
        matcher = constraint.start();
        bits = new TokenBits(constraint.vocabulary().size());
        this.bound = bound;
    }

    @Override
    public long[] allowed() {
        if (!known && !tooComplex) {
            try {
                narrow();
                known = true;
            } catch (TooComplexException _) {
                tooComplex = true;
            }
        }
        // A mask that is too complex to check allows no token.
        return tooComplex ? NOTHING : bits.words();
    }

    private void narrow() {
        if (forced.isEmpty()) {
            matcher.mask(bits);
        } else {
            bits.clear();
            bits.set(forced.element());
        }
    }

    @Override
    public void accept(int token) {
        try {
            if (!matcher.accept(token)) {
                throw new IllegalArgumentException("a token that the turn's grammar does not allow");
            }
            known = false;
            if (!forced.isEmpty()) {
                forced.remove();
            } else if (bound != null) {
                endReasoning(bound.after(token));
            }
        } catch (TooComplexException _) {
            tooComplex = true;
        }
    }

    /// Where the end does not fit, as within an escaped character, it has to wait for another token.
    private void endReasoning(ReasoningBound.@Nullable End end) {
        if (end != null && matcher.copy().accept(end.text().getBytes(StandardCharsets.UTF_8))) {
            IntStream.of(end.tokens()).forEach(forced::add);
        }
    }

    @Override
    public void cancel() {
        matcher.cancel();
    }

    /// Counts the tokens of a turn's reasoning. Not thread-safe.
    static final class ReasoningBound {
        private final int max;
        private final TurnVocabulary vocabulary;
        private final TurnReader reader;
        private final Utf8Stream characters = new Utf8Stream(false);
        private int used;

        /// What ends the reasoning.
        record End(String text, int[] tokens) {}

        /// @param max tokens of reasoning, at least 1
        ReasoningBound(int max, TurnVocabulary vocabulary, TurnStep turn) {
            this.max = max;
            this.vocabulary = vocabulary;
            // Only where the reader stands counts.
            reader = new TurnReader(turn, new TurnReader.Listener() {});
        }

        /// Takes the next token.
        ///
        /// @return what has to come now that the reasoning has had its tokens; null while it may go on
        @Nullable
        End after(int token) {
            boolean before = reader.reasoningEnd() != null;
            byte[] text = vocabulary.text(token);
            reader.accept(characters.append(text, 0, text.length));
            var end = reader.reasoningEnd();
            if (end == null) {
                return null;
            }
            used += before ? 1 : 0;
            return used < max ? null : new End(end, vocabulary.continuation(end));
        }
    }
}
