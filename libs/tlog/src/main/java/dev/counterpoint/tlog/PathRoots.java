package dev.counterpoint.tlog;

import java.util.List;
import java.util.Optional;

/// The two roots to which the path of a proof leads.
///
/// @param left root of the tree that ends with the first node of the path
/// @param all root of the whole tree
record PathRoots(MerkleHash left, MerkleHash all) {
    /// Climbs with the loop of RFC 9162, sections 2.1.3.2 and 2.1.4.2, from the node `index` to the root. Empty
    /// for a path that is too short or too long.
    ///
    /// @param last number of the last node of this height
    /// @param path the node and the siblings on its way
    static Optional<PathRoots> climb(long index, long last, List<MerkleHash> path) {
        var roots = new PathRoots(path.getFirst(), path.getFirst());
        var node = index;
        var end = last;
        for (var hash : path.subList(1, path.size())) {
            if (end == 0) {
                return Optional.empty();
            }
            if ((node & 1) == 1 || node == end) {
                roots = new PathRoots(MerkleHash.ofNode(hash, roots.left), MerkleHash.ofNode(hash, roots.all));
                var skipped = Long.numberOfTrailingZeros(node);
                node >>= skipped;
                end >>= skipped;
            } else {
                roots = new PathRoots(roots.left, MerkleHash.ofNode(roots.all, hash));
            }
            node >>= 1;
            end >>= 1;
        }
        return end == 0 ? Optional.of(roots) : Optional.empty();
    }
}
