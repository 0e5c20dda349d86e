package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tokens that stay in repetitions of one expression, such as the characters of a string, by how many they
/// start; and the trie of all other tokens. Thread-safe.
final class RepeatedTokens {
    private static final int COUNT_MAX = 0xff;
    /// Where less than this share of the vocabulary stays, a walk through the whole trie is short.
    private static final int BROAD_FRACTION = 2;

    private final int vocabulary;
    /// Repetitions that a token starts; 0 for one that does not stay.
    private final byte[] counts;
    private final int countMax;
    private final TokenTrie leaving;
    private final @Nullable TokenSet[] upTo;

    private RepeatedTokens(TokenVocabulary vocabulary, byte[] counts) {
        this.vocabulary = vocabulary.size();
        this.counts = counts;
        var leaves = new boolean[counts.length];
        int most = 0;
        for (int token = 0; token < counts.length; token++) {
            leaves[token] = counts[token] == 0;
            most = Math.max(most, counts[token] & 0xff);
        }
        countMax = most;
        upTo = new TokenSet[most + 1];
        leaving = vocabulary.trieOf(leaves);
    }

    /// @return empty when it cannot be said where a repetition ends, or when few tokens stay
    static Optional<RepeatedTokens> of(Regex repeated, TokenVocabulary vocabulary) {
        if (repeated.nullable()) {
            return Optional.empty();
        }
        var counts = new byte[vocabulary.size()];
        int staying = 0;
        var trie = vocabulary.trie();
        var states = new Regex[TokenTrie.DEPTH_MAX + 1];
        var started = new int[TokenTrie.DEPTH_MAX + 1];
        states[0] = repeated.pool().empty();
        int at = 0;
        int visited = 0;
        while (at < trie.size()) {
            WorkLimit.visit(visited++);
            long node = trie.node(at);
            int depth = trie.depth(node);
            boolean starts = states[depth - 1].nullable();
            var state = (starts ? repeated : states[depth - 1]).step(TokenTrie.value(node));
            if (state == null) {
                at += TokenTrie.size(node);
                continue;
            }
            if (state.nullable() && !state.transitions().isFinal()) {
                return Optional.empty();
            }
            states[depth] = state;
            started[depth] = Math.min(COUNT_MAX, started[depth - 1] + (starts ? 1 : 0));
            int token = TokenTrie.token(node);
            if (token >= 0) {
                counts[token] = (byte) started[depth];
                staying++;
            }
            at++;
        }
        return staying < vocabulary.size() / BROAD_FRACTION
                ? Optional.empty()
                : Optional.of(new RepeatedTokens(vocabulary, counts));
    }

    /// The tokens that stay and start at most so many repetitions.
    TokenSet upTo(int max) {
        int index = Math.min(max, countMax);
        var known = upTo[index];
        if (known == null) {
            var builder = new TokenSet.Builder(vocabulary);
            for (int token = 0; token < counts.length; token++) {
                int count = counts[token] & 0xff;
                if (count > 0 && count <= index) {
                    builder.add(token);
                }
            }
            known = builder.build();
            upTo[index] = known;
        }
        return known;
    }

    /// The tokens that do not stay.
    TokenTrie leaving() {
        return leaving;
    }

    /// Memory that it takes, about.
    int bytes() {
        return counts.length + leaving.size() * Long.BYTES + upTo.length * (vocabulary / Byte.SIZE);
    }
}
