package dev.counterpoint.tlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The tree of a log's first `size` leaves: its root and the proofs about it.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc6962.html#section-2.1>
///
/// @param size number of leaves
/// @param hashes source of the complete subtrees' hashes
public record MerkleTree(long size, SubtreeHashes hashes) {
    /// A tree with a size that is not negative.
    public MerkleTree {
        if (size < 0) {
            throw new IllegalArgumentException("size " + size);
        }
    }

    /// The tree of leaves that are all in memory. Every call hashes what it needs again.
    ///
    /// @param leaves hashes of the leaves
    /// @return the tree
    public static MerkleTree ofLeaves(List<MerkleHash> leaves) {
        return new MerkleTree(leaves.size(), (level, index) -> {
            var from = Math.toIntExact(index << level);
            return MerkleHash.ofSubtree(leaves.subList(from, from + (1 << level)));
        });
    }

    /// The Merkle tree hash of all leaves (section 2.1).
    ///
    /// @return the root
    public MerkleHash root() {
        return size == 0 ? MerkleHash.EMPTY_TREE : range(0, size);
    }

    /// Proves that a leaf is in this tree: `PATH(m, D[n])` of section 2.1.1.
    ///
    /// @param index number of the leaf, from 0 to `size - 1`
    /// @return the proof
    public InclusionProof inclusion(long index) {
        Objects.checkIndex(index, size);
        var path = new ArrayList<MerkleHash>();
        long from = 0;
        long to = size;
        while (to - from > 1) {
            var middle = from + split(to - from);
            if (index < middle) {
                path.addFirst(range(middle, to));
                to = middle;
            } else {
                path.addFirst(range(from, middle));
                from = middle;
            }
        }
        return new InclusionProof(index, size, path);
    }

    /// Proves that this tree extends an older one: `PROOF(m, D[n])` of section 2.1.2. From the empty tree and
    /// from the same size the proof is empty.
    ///
    /// @param oldSize number of leaves of the older tree, from 0 to `size`
    /// @return the proof
    public ConsistencyProof consistency(long oldSize) {
        Objects.checkFromToIndex(oldSize, size, size);
        var path = new ArrayList<MerkleHash>();
        long from = 0;
        long to = oldSize == 0 ? 0 : size;
        var wholeOldTree = true;
        while (oldSize != to) {
            var middle = from + split(to - from);
            if (oldSize <= middle) {
                path.addFirst(range(middle, to));
                to = middle;
            } else {
                path.addFirst(range(from, middle));
                from = middle;
                wholeOldTree = false;
            }
        }
        if (!wholeOldTree) {
            path.addFirst(range(from, to));
        }
        return new ConsistencyProof(oldSize, size, path);
    }

    private MerkleHash range(long from, long to) {
        var count = to - from;
        if (Long.bitCount(count) == 1) {
            return hashes.at(Long.numberOfTrailingZeros(count), from / count);
        }
        var middle = from + split(count);
        return MerkleHash.ofNode(range(from, middle), range(middle, to));
    }

    /// The largest power of two below a number above 1.
    private static long split(long count) {
        return Long.highestOneBit(count - 1);
    }
}
