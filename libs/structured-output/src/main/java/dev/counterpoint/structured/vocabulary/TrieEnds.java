package dev.counterpoint.structured.vocabulary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Lays subtrees of a trie over each other.
final class TrieEnds {
    private static final int VALUES = 256;

    private final TokenTrie trie;
    private final List<int[]> lists = new ArrayList<>();
    private long[] nodes = new long[64];
    private int count;

    TrieEnds(TokenTrie trie) {
        this.trie = trie;
    }

    TokenTrie of(int[] parents) {
        addChildren(parents, 1);
        return count == 0 ? TokenTrie.EMPTY : new TokenTrie(Arrays.copyOf(nodes, count), lists.toArray(int[][]::new));
    }

    /// Lays the children of these nodes, those of one byte together.
    private void addChildren(int[] parents, int depth) {
        if (parents.length == 1 && TokenTrie.size(trie.node(parents[0])) == 1) {
            return;
        }
        var places = new int[VALUES][];
        var counts = new int[VALUES];
        for (int parent : parents) {
            int end = parent + TokenTrie.size(trie.node(parent));
            int child = parent + 1;
            while (child < end) {
                long node = trie.node(child);
                int value = TokenTrie.value(node);
                if (places[value] == null) {
                    places[value] = new int[2];
                } else if (places[value].length == counts[value]) {
                    places[value] = Arrays.copyOf(places[value], 2 * counts[value]);
                }
                places[value][counts[value]++] = child;
                child += TokenTrie.size(node);
            }
        }
        for (int value = 0; value < VALUES; value++) {
            if (counts[value] > 0) {
                addNode(value, depth, Arrays.copyOf(places[value], counts[value]));
            }
        }
    }

    private void addNode(int value, int depth, int[] places) {
        int at = count++;
        if (at == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * at);
        }
        nodes[at] = TokenTrie.node(value, depth);
        var tokens = new TokenSet.Builder(0);
        for (int place : places) {
            trie.addTokens(trie.node(place), tokens);
        }
        var list = tokens.ids();
        if (list.length > 0) {
            nodes[at] |= TokenTrie.withContent(lists.size());
            lists.add(list);
        }
        addChildren(places, depth + 1);
        nodes[at] |= TokenTrie.withSize(count - at);
    }
}
