package dev.counterpoint.tlog;

import java.util.List;
import java.util.stream.Stream;

/// Proves that a leaf is in a tree, by the siblings on the way from the leaf to the root.
public record InclusionProof(long index, long size, List<MerkleHash> hashes) {
    public InclusionProof {
        hashes = List.copyOf(hashes);
    }

    /// Whether the tree with this root has this leaf at this index.
    public boolean proves(MerkleHash leaf, MerkleHash root) {
        return index >= 0
                && index < size
                && PathRoots.climb(
                                index,
                                size - 1,
                                Stream.concat(Stream.of(leaf), hashes.stream()).toList())
                        .filter(roots -> roots.all().equals(root))
                        .isPresent();
    }
}
