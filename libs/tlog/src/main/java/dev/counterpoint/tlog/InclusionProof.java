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

    /// Checks the proof.
    ///
    /// @param leaf hash of the leaf
    /// @param root root of the tree, from a checkpoint whose signatures were verified
    /// @return whether the tree has this leaf at this index
    public boolean proves(MerkleHash leaf, MerkleHash root) {
        return index >= 0
                && index < size
                && PathRoots.climb(leaf, index, size - 1, hashes)
                        .filter(roots -> roots.all().equals(root))
                        .isPresent();
    }
}
