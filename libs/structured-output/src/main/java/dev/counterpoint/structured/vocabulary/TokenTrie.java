package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;

/// Texts of tokens as a trie in one array, each node before its children and these in the order of their bytes, so that
/// a walk goes forward and leaves a subtree out by one addition. A node is 64 bits: byte (8), depth (8, the root's
/// children
/// have 1), token (24, one more than its id; 0 for none), size of its subtree with itself (24). Immutable.
public final class TokenTrie {
    /// Longer texts cannot be told apart by an 8-bit depth.
    public static final int DEPTH_MAX = 255;

    /// Without texts.
    public static final TokenTrie EMPTY = new TokenTrie(new long[0]);

    private static final int FIELD = 0xff_ffff;

    private final long[] nodes;

    private TokenTrie(long[] nodes) {
        this.nodes = nodes;
    }

    /// @param tokens sorted by their texts, which all differ
    /// @param texts of each id
    static TokenTrie of(int[] tokens, byte[][] texts) {
        var builder = new Builder();
        for (int token : tokens) {
            builder.add(token, texts[token]);
        }
        return new TokenTrie(builder.finish());
    }

    /// The number of nodes.
    public int size() {
        return nodes.length;
    }

    public long node(int index) {
        return nodes[index];
    }

    public static int value(long node) {
        return (int) node & 0xff;
    }

    public static int depth(long node) {
        return (int) (node >>> 8) & 0xff;
    }

    /// The id, or -1.
    public static int token(long node) {
        return ((int) (node >>> 16) & FIELD) - 1;
    }

    /// Nodes of the subtree, the node itself included.
    public static int size(long node) {
        return (int) (node >>> 40) & FIELD;
    }

    private static final class Builder {
        private long[] nodes = new long[1024];
        private int count;
        private final int[] path = new int[DEPTH_MAX + 1];
        private byte[] last = new byte[0];

        void add(int token, byte[] text) {
            int common = Math.max(0, Arrays.mismatch(last, text));
            close(common);
            for (int depth = common; depth < text.length; depth++) {
                if (count == nodes.length) {
                    nodes = Arrays.copyOf(nodes, 2 * count);
                }
                path[depth + 1] = count;
                nodes[count++] = text[depth] & 0xffL | (depth + 1L) << 8;
            }
            nodes[path[text.length]] |= (token + 1L) << 16;
            last = text;
        }

        /// Writes the sizes of the nodes deeper than this on the way to the last text.
        private void close(int depth) {
            for (int open = last.length; open > depth; open--) {
                nodes[path[open]] |= (long) (count - path[open]) << 40;
            }
        }

        long[] finish() {
            close(0);
            return Arrays.copyOf(nodes, count);
        }
    }
}
