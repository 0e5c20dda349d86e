package dev.counterpoint.structured.match;

import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import java.util.Arrays;

/// The ends of some tokens as one trie: several tokens can have the same end. Nodes as in [TokenTrie], but for their
/// tokens, which are several. Immutable.
final class CrossingTrie {
    static final CrossingTrie NONE = of(new Cut(TokenTrie.EMPTY, new int[0]));

    /// Where a token trie is cut.
    ///
    /// @param nodes whose subtrees, without themselves, hold the ends
    record Cut(TokenTrie trie, int[] nodes) {
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

    private final byte[] values;
    private final int[] depths;
    /// The node after a node's subtree.
    private final int[] next;
    /// Tokens of node `i` are `tokens[firstToken[i] .. firstToken[i + 1])`.
    private final int[] firstToken;
    private final int[] tokens;

    private CrossingTrie(Builder builder) {
        values = Arrays.copyOf(builder.values, builder.count);
        depths = Arrays.copyOf(builder.depths, builder.count);
        next = Arrays.copyOf(builder.next, builder.count);
        firstToken = Arrays.copyOf(builder.firstToken, builder.count + 1);
        firstToken[builder.count] = builder.tokenCount;
        tokens = Arrays.copyOf(builder.tokens, builder.tokenCount);
    }

    static CrossingTrie of(Cut cut) {
        var builder = new Builder(cut.trie);
        builder.addChildren(cut.nodes, cut.nodes.length, 1);
        return new CrossingTrie(builder);
    }

    int size() {
        return values.length;
    }

    int value(int node) {
        return values[node] & 0xff;
    }

    /// From 1 on.
    int depth(int node) {
        return depths[node];
    }

    int depthMax() {
        return Arrays.stream(depths).max().orElse(0);
    }

    /// The node after a node's subtree.
    int next(int node) {
        return next[node];
    }

    void addTokens(int node, TokenSet.Builder to) {
        for (int i = firstToken[node]; i < firstToken[node + 1]; i++) {
            to.add(tokens[i]);
        }
    }

    /// Memory that it takes, about.
    int bytes() {
        return values.length * 13 + tokens.length * Integer.BYTES;
    }

    private static final class Builder {
        private final TokenTrie trie;
        private byte[] values = new byte[64];
        private int[] depths = new int[64];
        private int[] next = new int[64];
        private int[] firstToken = new int[65];
        private int[] tokens = new int[64];
        private int count;
        private int tokenCount;

        Builder(TokenTrie trie) {
            this.trie = trie;
        }

        /// Lays the children of these nodes, those of one byte together.
        void addChildren(int[] parents, int parentCount, int depth) {
            var byValue = new int[256][];
            var counts = new int[256];
            for (int i = 0; i < parentCount; i++) {
                int end = parents[i] + TokenTrie.size(trie.node(parents[i]));
                int child = parents[i] + 1;
                while (child < end) {
                    long node = trie.node(child);
                    int value = TokenTrie.value(node);
                    if (byValue[value] == null) {
                        byValue[value] = new int[4];
                    } else if (byValue[value].length == counts[value]) {
                        byValue[value] = Arrays.copyOf(byValue[value], 2 * counts[value]);
                    }
                    byValue[value][counts[value]++] = child;
                    child += TokenTrie.size(node);
                }
            }
            for (int value = 0; value < byValue.length; value++) {
                if (counts[value] > 0) {
                    addNode(value, depth, Arrays.copyOf(byValue[value], counts[value]));
                }
            }
        }

        private void addNode(int value, int depth, int[] places) {
            int at = count++;
            if (at == values.length) {
                grow();
            }
            values[at] = (byte) value;
            depths[at] = depth;
            firstToken[at] = tokenCount;
            for (int place : places) {
                int token = TokenTrie.token(trie.node(place));
                if (token >= 0) {
                    addToken(token);
                }
            }
            addChildren(places, places.length, depth + 1);
            next[at] = count;
        }

        private void addToken(int token) {
            if (tokenCount == tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * tokenCount);
            }
            tokens[tokenCount++] = token;
        }

        private void grow() {
            int size = 2 * values.length;
            values = Arrays.copyOf(values, size);
            depths = Arrays.copyOf(depths, size);
            next = Arrays.copyOf(next, size);
            firstToken = Arrays.copyOf(firstToken, size + 1);
        }
    }
}
