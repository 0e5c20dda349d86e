package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.function.Supplier;

/// What is known of single expressions over one vocabulary, found out when first asked for. Grammars share it, because
/// they share expressions: inside a plain string all are alike. Bounded: what was not used for longest is forgotten.
/// Thread-safe.
public final class LexemeIndex {
    private static final int LEXEME_BYTES_MAX = 96 << 20;
    private static final int CROSSING_BYTES_MAX = 32 << 20;
    private static final int PLACE_BYTES_MAX = 64 << 20;
    private static final int REPEATED_BYTES_MAX = 96 << 20;

    private final TokenVocabulary vocabulary;
    private final BoundedCache<Regex, LexemeTokens> lexemes = new BoundedCache<>(LEXEME_BYTES_MAX, LexemeTokens::bytes);
    private final BoundedCache<CrossingTrie.Cut, CrossingTrie> crossings =
            new BoundedCache<>(CROSSING_BYTES_MAX, CrossingTrie::bytes);
    private final BoundedCache<Regex, RepeatedChoice> repeated =
            new BoundedCache<>(REPEATED_BYTES_MAX, RepeatedChoice::bytes);

    private final BoundedCache<Object, TokenSet> places =
            new BoundedCache<>(PLACE_BYTES_MAX, tokens -> 256 + tokens.bytes());

    public LexemeIndex(TokenVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// The tokens that it speaks of.
    public TokenVocabulary vocabulary() {
        return vocabulary;
    }

    /// Whether repetitions of an expression can be counted.
    private sealed interface RepeatedChoice {
        record Countable(RepeatedTokens tokens) implements RepeatedChoice {}

        record Uncountable() implements RepeatedChoice {}

        default int bytes() {
            return this instanceof Countable(var tokens) ? tokens.bytes() : 1;
        }
    }

    /// The tokens of a place in a grammar.
    TokenSet tokens(Object place, Supplier<TokenSet> compute) {
        var known = places.get(place);
        if (known == null) {
            known = compute.get();
            places.put(place, known);
        }
        return known;
    }

    LexemeTokens of(Regex asked) {
        var state = withoutFarBound(asked);
        var known = lexemes.get(state);
        if (known == null) {
            known = compute(state);
            lexemes.put(state, known);
        }
        return known;
    }

    /// More repetitions than a token has bytes are as good as any number.
    private static Regex withoutFarBound(Regex state) {
        var head = state.head();
        if (head == null || head.min() > 0 || head.max() == Regex.UNBOUNDED || head.max() < TokenTrie.DEPTH_MAX) {
            return state;
        }
        var pool = state.pool();
        return pool.concat(pool.star(head.repeated()), head.rest());
    }

    private LexemeTokens compute(Regex state) {
        var head = state.head();
        if (head != null && repeated(head) instanceof RepeatedChoice.Countable(var tokens)) {
            if (head.max() == Regex.UNBOUNDED ? mustLeave(state, head) : leavesAtOnce(head)) {
                return ofRepetition(state, head, tokens);
            }
        }
        var scan = new LexemeScan(vocabulary.trie(), vocabulary.size()).walk(state);
        return new LexemeTokens(scan.inside(), crossings(scan.cut()));
    }

    private RepeatedChoice repeated(Regex.Head head) {
        var known = repeated.get(head.repeated());
        if (known == null) {
            var tokens = RepeatedTokens.of(head.repeated(), vocabulary);
            known = tokens == null ? new RepeatedChoice.Uncountable() : new RepeatedChoice.Countable(tokens);
            repeated.put(head.repeated(), known);
        }
        return known;
    }

    /// True if no repetitions alone match, so that a token that stays in them crosses nothing.
    private static boolean mustLeave(Regex state, Regex.Head head) {
        var pool = state.pool();
        return pool.and(state, pool.star(head.repeated())).isEmpty();
    }

    /// True if what comes after the repetitions never starts as one of them does.
    private static boolean leavesAtOnce(Regex.Head head) {
        var pool = head.rest().pool();
        return !head.rest().nullable()
                && pool.and(head.rest(), pool.concat(head.repeated(), pool.anything()))
                        .isEmpty();
    }

    private LexemeTokens ofRepetition(Regex state, Regex.Head head, RepeatedTokens tokens) {
        var scan = new LexemeScan(tokens.leaving(), vocabulary.size()).walk(state);
        var inside = new TokenBits(vocabulary.size());
        scan.inside().addTo(inside);
        tokens.upTo(head.max()).addTo(inside);
        return new LexemeTokens(new TokenSet.Many(inside.words()), crossings(scan.cut()));
    }

    private CrossingTrie crossings(CrossingTrie.Cut cut) {
        if (cut.nodes().length == 0) {
            return CrossingTrie.NONE;
        }
        var known = crossings.get(cut);
        if (known == null) {
            known = CrossingTrie.of(cut);
            crossings.put(cut, known);
        }
        return known;
    }
}
