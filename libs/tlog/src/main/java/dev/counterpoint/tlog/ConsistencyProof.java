package dev.counterpoint.tlog;

import java.util.List;
import java.util.stream.Stream;

/// Proves that a tree extends an older one without a change, by the nodes from which both roots follow.
public record ConsistencyProof(long oldSize, long size, List<MerkleHash> hashes) {
    public ConsistencyProof {
        hashes = List.copyOf(hashes);
    }

    /// Whether the tree with one root extends the tree with the older root. A tree extends itself and the empty
    /// tree, and then the proof must be empty.
    public boolean proves(MerkleHash oldRoot, MerkleHash root) {
        if (oldSize < 0 || oldSize > size || (size == 0 && !root.equals(MerkleHash.EMPTY_TREE))) {
            return false;
        }
        if (oldSize == size || oldSize == 0) {
            return hashes.isEmpty() && oldRoot.equals(oldSize == 0 ? MerkleHash.EMPTY_TREE : root);
        }
        // The older tree is a node of the newer one when its size is a power of two: the proof leaves it out.
        var path = Long.bitCount(oldSize) == 1
                ? Stream.concat(Stream.of(oldRoot), hashes.stream()).toList()
                : hashes;
        var height = Long.numberOfTrailingZeros(oldSize);
        return !path.isEmpty()
                && PathRoots.climb((oldSize - 1) >> height, (size - 1) >> height, path)
                        .filter(new PathRoots(oldRoot, root)::equals)
                        .isPresent();
    }
}
