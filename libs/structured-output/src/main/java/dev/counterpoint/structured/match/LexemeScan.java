package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import java.util.Arrays;

/// Walks a trie with one terminal alone: which tokens stay in it, and where it may end.
final class LexemeScan {
    private final TokenTrie trie;
    private final TokenSet.Builder inside;
    private int[] ends = new int[4];
    private int endCount;

    LexemeScan(TokenTrie trie, int vocabulary) {
        this.trie = trie;
        inside = new TokenSet.Builder(vocabulary);
    }

    LexemeScan walk(Regex start) {
        var states = new Regex[TokenTrie.DEPTH_MAX + 1];
        states[0] = start;
        int at = 0;
        int visited = 0;
        while (at < trie.size()) {
            long node = trie.node(at);
            int depth = trie.depth(node);
            var state = states[depth - 1].step(TokenTrie.value(node));
            WorkLimit.visit(visited++);
            if (state == null) {
                at += TokenTrie.size(node);
                continue;
            }
            states[depth] = state;
            trie.addTokens(node, inside);
            if (state.nullable() && TokenTrie.size(node) > 1) {
                addEnd(at);
            }
            at++;
        }
        return this;
    }

    /// Takes away the tokens of a vocabulary that have no end in a state, though in a wider one. Looks only where the
    /// two differ: what a state excepts mostly ends after a few bytes.
    static void removeExcepted(TokenTrie trie, Regex state, Regex wider, TokenBits from) {
        var states = new Regex[TokenTrie.DEPTH_MAX + 1];
        var widers = new Regex[TokenTrie.DEPTH_MAX + 1];
        states[0] = state;
        widers[0] = wider;
        int at = 0;
        int visited = 0;
        while (at < trie.size()) {
            long node = trie.node(at);
            int depth = trie.depth(node);
            var next = states[depth - 1].step(TokenTrie.value(node));
            var widerNext = widers[depth - 1].step(TokenTrie.value(node));
            WorkLimit.visit(visited++);
            if (next == null || next == widerNext || widerNext == null) {
                if (next == null && widerNext != null) {
                    trie.removeAll(at, from);
                }
                at += TokenTrie.size(node);
                continue;
            }
            states[depth] = next;
            widers[depth] = widerNext;
            at++;
        }
    }

    private void addEnd(int node) {
        if (endCount == ends.length) {
            ends = Arrays.copyOf(ends, 2 * endCount);
        }
        ends[endCount++] = node;
    }

    TokenSet inside() {
        return inside.build();
    }

    /// Nodes of the trie at which the terminal may end, and tokens go on.
    int[] ends() {
        return Arrays.copyOf(ends, endCount);
    }
}
