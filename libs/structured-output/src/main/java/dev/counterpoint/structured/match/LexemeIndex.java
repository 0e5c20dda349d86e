package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/// What is known of single expressions over one vocabulary, found out when first asked for. Grammars share it,
/// because they share expressions: inside a plain string all are alike. Bounded to about a quarter of the heap, at
/// least 64 MB and at most 1 GB: what was not used for longest is forgotten. Thread-safe.
public final class LexemeIndex {
    private static final long BYTES_MAX = Math.clamp(Runtime.getRuntime().maxMemory() / 4, 64L << 20, 1L << 30);
    private static final long LEXEME_BYTES_MAX = BYTES_MAX / 2;
    private static final long PLACE_BYTES_MAX = BYTES_MAX / 4;
    private static final long CROSSING_BYTES_MAX = BYTES_MAX / 8;
    private static final long REPEATED_BYTES_MAX = BYTES_MAX / 8;
    /// Nodes of a subtree that is not laid over others.
    private static final int LARGE = 512;
    /// Laying so many nodes counts as one step of work.
    private static final int NODES_PER_STEP = 8;

    private final TokenVocabulary vocabulary;
    private final BoundedCache<Scan, LexemeTokens> lexemes = new BoundedCache<>(LEXEME_BYTES_MAX, LexemeTokens::bytes);
    private final BoundedCache<Cut, TokenTrie> crossings = new BoundedCache<>(CROSSING_BYTES_MAX, TokenTrie::bytes);
    private final BoundedCache<Regex, Optional<RepeatedTokens>> repeated = new BoundedCache<>(
            REPEATED_BYTES_MAX, tokens -> tokens.map(RepeatedTokens::bytes).orElse(1));
    private final BoundedCache<Place, TokenSet> places =
            new BoundedCache<>(PLACE_BYTES_MAX, tokens -> 256 + tokens.bytes());

    public LexemeIndex(TokenVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// The tokens that it speaks of.
    public TokenVocabulary vocabulary() {
        return vocabulary;
    }

    /// Forgets all, for one that replaces the expressions of its grammars.
    public void clear() {
        lexemes.clear();
        crossings.clear();
        repeated.clear();
        places.clear();
    }

    /// A terminal's state over a trie.
    private record Scan(TokenTrie trie, Regex state) {}

    /// A trie, cut after some of its nodes.
    private record Cut(TokenTrie trie, int[] nodes) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Cut(var otherTrie, var otherNodes)
                    && trie == otherTrie
                    && Arrays.equals(nodes, otherNodes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(nodes);
        }
    }

    /// A row of some grammar, from which the texts of a trie start.
    record Place(TokenTrie trie, Row row) {}

    /// The tokens of a place, found out when they are not known.
    TokenSet tokens(Place place, Supplier<TokenSet> compute) {
        return places.get(place, compute);
    }

    /// @param asked of the terminal, where the texts start
    LexemeTokens of(TokenTrie trie, Regex asked) {
        var scan = new Scan(trie, withoutFarBound(asked));
        return lexemes.get(scan, () -> compute(scan));
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

    private LexemeTokens compute(Scan scan) {
        if (scan.trie == vocabulary.trie()) {
            var whole = scan.state.withoutExceptions();
            var head = whole.head();
            var repetitions = head == null ? Optional.<RepeatedTokens>empty() : repetitions(head.repeated());
            if (head != null && repetitions.isPresent() && staysInside(whole, head)) {
                return ofRepetition(scan.state, whole, repetitions.get());
            }
            if (PlainText.mayGoOn(scan.state)) {
                var plain = repetitions(PlainText.CHARACTER);
                if (plain.isPresent()) {
                    var inside = new TokenBits(vocabulary.size());
                    plain.get().upTo(Regex.UNBOUNDED).addTo(inside);
                    return withLeaving(scan.state, plain.get(), inside);
                }
            }
        }
        var found = new LexemeScan(scan.trie, vocabulary.size()).walk(scan.state);
        return new LexemeTokens(found.inside(), crossings(scan.trie, found.ends()));
    }

    private Optional<RepeatedTokens> repetitions(Regex of) {
        return repeated.get(of, () -> RepeatedTokens.of(of, vocabulary));
    }

    /// True if a token that stays in the repetitions crosses nothing.
    private static boolean staysInside(Regex whole, Regex.Head head) {
        return head.max() == Regex.UNBOUNDED ? mustLeave(whole, head) : leavesAtOnce(head);
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

    /// @param whole the state without what it excepts, which starts with repetitions
    private LexemeTokens ofRepetition(Regex state, Regex whole, RepeatedTokens tokens) {
        var inside = new TokenBits(vocabulary.size());
        tokens.upTo(Objects.requireNonNull(whole.head()).max()).addTo(inside);
        if (state != whole) {
            LexemeScan.removeExcepted(vocabulary.trie(), state, whole, inside);
        }
        return withLeaving(state, tokens, inside);
    }

    /// @param inside tokens that stay in repetitions; those that leave them are added
    private LexemeTokens withLeaving(Regex state, RepeatedTokens tokens, TokenBits inside) {
        var found = new LexemeScan(tokens.leaving(), vocabulary.size()).walk(state);
        found.inside().addTo(inside);
        return new LexemeTokens(new TokenSet.Many(inside.words()), crossings(tokens.leaving(), found.ends()));
    }

    /// Small subtrees are laid over each other, because many are alike; large ones are looked at where they are.
    private List<TokenTrie> crossings(TokenTrie trie, int[] ends) {
        var tries = new ArrayList<TokenTrie>();
        var small = new int[ends.length];
        int count = 0;
        for (int end : ends) {
            if (TokenTrie.size(trie.node(end)) < LARGE) {
                small[count++] = end;
            } else {
                tries.add(crossings.get(new Cut(trie, new int[] {end}), () -> trie.below(end)));
            }
        }
        if (count > 0) {
            var cut = Arrays.copyOf(small, count);
            tries.add(crossings.get(new Cut(trie, cut), () -> {
                var laid = trie.after(cut);
                WorkLimit.spend(laid.size() / NODES_PER_STEP);
                return laid;
            }));
        }
        return List.copyOf(tries);
    }
}
