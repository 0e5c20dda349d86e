package dev.counterpoint.structured.match;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import java.util.Arrays;

/// Walks a trie with one terminal alone: which tokens stay in it, and where it may end.
final class LexemeScan {
    private final TokenTrie trie;
    private final TokenSet.Builder inside;
    private int[] ends = new int[16];
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
            int depth = TokenTrie.depth(node);
            var state = states[depth - 1].step(TokenTrie.value(node));
            visited++;
            if (state == null) {
                at += TokenTrie.size(node);
                continue;
            }
            states[depth] = state;
            int token = TokenTrie.token(node);
            if (token >= 0) {
                inside.add(token);
            }
            if (state.nullable() && TokenTrie.size(node) > 1) {
                addEnd(at);
            }
            at++;
        }
        WorkLimit.spend(visited >> 5);
        return this;
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

    CrossingTrie.Cut cut() {
        return new CrossingTrie.Cut(trie, Arrays.copyOf(ends, endCount));
    }
}
