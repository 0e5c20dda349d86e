package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;

/// Texts of tokens, or ends of them, as a trie in one array: each node stands before its children and these in the
/// order of their bytes, so that a walk goes forward and leaves a subtree out by one addition. Immutable; compared
/// by identity.
public final class TokenTrie {
    /// Longer texts cannot be told apart by an 8-bit depth.
    public static final int DEPTH_MAX = 255;

    private static final int[][] ONE_EACH = {};

    /// Without texts.
    public static final TokenTrie EMPTY = new TokenTrie(new long[0], ONE_EACH);

    private static final int FIELD = 0xff_ffff;

    /// 64 bits each: byte (8), depth (8), one more than the token or the number of its list (24; 0 for none), size
    /// of the subtree with the node itself (24).
    private final long[] nodes;
    /// The first node, and the one after the last.
    private final int from;
    private final int to;
    /// Depth of whatever is above the first node.
    private final int top;
    /// Where several tokens may have one text, the list of each number; else [#ONE_EACH].
    private final int[][] lists;

    TokenTrie(long[] nodes, int[][] lists) {
        this.nodes = nodes;
        this.lists = lists;
        from = 0;
        to = nodes.length;
        top = 0;
    }

    /// What hangs below one node of a trie.
    private TokenTrie(TokenTrie whole, int node) {
        nodes = whole.nodes;
        lists = whole.lists;
        from = whole.from + node + 1;
        to = whole.from + node + size(whole.node(node));
        top = rawDepth(whole.node(node));
    }

    /// @param tokens sorted by their texts, which all differ
    /// @param texts of each id
    static TokenTrie of(int[] tokens, byte[][] texts) {
        var builder = new Builder();
        for (int token : tokens) {
            builder.add(token, texts[token]);
        }
        return new TokenTrie(builder.finish(), ONE_EACH);
    }

    static long node(int value, int depth) {
        return value | (long) depth << 8;
    }

    static long withContent(int content) {
        return (content + 1L) << 16;
    }

    static long withSize(int size) {
        return (long) size << 40;
    }

    /// The number of nodes.
    public int size() {
        return to - from;
    }

    /// Memory that it takes by itself, about: a part of another one takes next to none.
    public int bytes() {
        return from > 0 ? Long.SIZE : size() * (lists == ONE_EACH ? Long.BYTES : 4 * Long.BYTES);
    }

    public long node(int index) {
        return nodes[from + index];
    }

    public static int value(long node) {
        return (int) node & 0xff;
    }

    /// From 1 on.
    public int depth(long node) {
        return rawDepth(node) - top;
    }

    private static int rawDepth(long node) {
        return (int) (node >>> 8) & 0xff;
    }

    /// Nodes of the subtree, the node itself included.
    public static int size(long node) {
        return (int) (node >>> 40) & FIELD;
    }

    /// The token whose text ends at a node of a whole vocabulary's trie, or -1.
    public static int token(long node) {
        return content(node);
    }

    private static int content(long node) {
        return ((int) (node >>> 16) & FIELD) - 1;
    }

    /// Adds the tokens whose text ends at a node.
    public void addTokens(long node, TokenSet.Builder to) {
        int content = content(node);
        if (content < 0) {
            return;
        }
        if (lists == ONE_EACH) {
            to.add(content);
        } else {
            for (int token : lists[content]) {
                to.add(token);
            }
        }
    }

    /// Takes away the tokens of a whole vocabulary's trie whose texts pass a node.
    public void removeAll(int node, TokenBits from) {
        for (int i = node; i < node + size(node(node)); i++) {
            int token = content(node(i));
            if (token >= 0) {
                from.clear(token);
            }
        }
    }

    /// What is left of the texts that pass a node. Costs nothing.
    public TokenTrie below(int node) {
        return new TokenTrie(this, node);
    }

    /// The tokens of a whole vocabulary's trie that are members.
    TokenTrie filtered(boolean[] members) {
        var kept = new int[nodes.length + 1];
        for (int i = 0; i < nodes.length; i++) {
            int token = content(nodes[i]);
            kept[i + 1] = kept[i] + (token >= 0 && members[token] ? 1 : 0);
        }
        var places = new int[nodes.length + 1];
        for (int i = 0; i < nodes.length; i++) {
            places[i + 1] = places[i] + (kept[i + size(nodes[i])] > kept[i] ? 1 : 0);
        }
        var result = new long[places[nodes.length]];
        for (int i = 0; i < nodes.length; i++) {
            if (places[i + 1] > places[i]) {
                long content = kept[i + 1] > kept[i] ? withContent(content(nodes[i])) : 0;
                int size = places[i + size(nodes[i])] - places[i];
                result[places[i]] = node(value(nodes[i]), rawDepth(nodes[i])) | content | withSize(size);
            }
        }
        return new TokenTrie(result, ONE_EACH);
    }

    /// What is left of the texts that pass these nodes, from there on, as one trie.
    public TokenTrie after(int[] passed) {
        return new TrieEnds(this).of(passed);
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
                nodes[count++] = node(text[depth] & 0xff, depth + 1);
            }
            nodes[path[text.length]] |= withContent(token);
            last = text;
        }

        /// Writes the sizes of the nodes deeper than this on the way to the last text.
        private void close(int depth) {
            for (int open = last.length; open > depth; open--) {
                nodes[path[open]] |= withSize(count - path[open]);
            }
        }

        long[] finish() {
            close(0);
            return Arrays.copyOf(nodes, count);
        }
    }
}
