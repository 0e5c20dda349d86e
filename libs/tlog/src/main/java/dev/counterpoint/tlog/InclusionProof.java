package dev.counterpoint.tlog;

import java.util.List;

/// Proves that a leaf is in a tree.
///
/// @param index number of the leaf, from 0
/// @param size number of leaves of the tree
/// @param hashes siblings on the way from the leaf to the root
public record InclusionProof(long index, long size, List<MerkleHash> hashes) {
    /// Copies the hashes.
    public InclusionProof {
        hashes = List.copyOf(hashes);
    }

    /// Checks the proof with the algorithm of <https://www.rfc-editor.org/rfc/rfc9162.html#section-2.1.3.2>.
    ///
    /// @param leaf hash of the leaf
    /// @param root root of the tree, from a checkpoint whose signatures were verified
    /// @return whether the leaf is in the tree at this index
    public boolean proves(MerkleHash leaf, MerkleHash root) {
        if (index < 0 || index >= size) {
            return false;
        }
        var node = index;
        var last = size - 1;
        var hash = leaf;
        for (var sibling : hashes) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                hash = MerkleHash.ofNode(sibling, hash);
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                hash = MerkleHash.ofNode(hash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && hash.equals(root);
    }
}
