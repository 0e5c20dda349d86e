package dev.counterpoint.tlog;

import java.util.ArrayList;
import java.util.List;

/// Proves that a tree extends an older one without a change.
///
/// @param oldSize number of leaves of the older tree
/// @param size number of leaves of the newer tree
/// @param hashes nodes from which both roots follow
public record ConsistencyProof(long oldSize, long size, List<MerkleHash> hashes) {
    /// Copies the hashes.
    public ConsistencyProof {
        hashes = List.copyOf(hashes);
    }

    /// Checks the proof with the algorithm of <https://www.rfc-editor.org/rfc/rfc9162.html#section-2.1.4.2>. A
    /// tree is consistent with itself and with the empty tree, and then the proof must be empty.
    ///
    /// @param oldRoot root of the older tree
    /// @param root root of the newer tree
    /// @return whether the newer tree extends the older one
    public boolean proves(MerkleHash oldRoot, MerkleHash root) {
        if (oldSize < 0 || oldSize > size || (size == 0 && !root.equals(MerkleHash.EMPTY_TREE))) {
            return false;
        }
        if (oldSize == size) {
            return hashes.isEmpty() && oldRoot.equals(root);
        }
        if (oldSize == 0) {
            return hashes.isEmpty() && oldRoot.equals(MerkleHash.EMPTY_TREE);
        }
        var path = new ArrayList<MerkleHash>(hashes.size() + 1);
        if (Long.bitCount(oldSize) == 1) {
            path.add(oldRoot);
        }
        path.addAll(hashes);
        return !hashes.isEmpty() && follows(path, oldRoot, root);
    }

    private boolean follows(List<MerkleHash> path, MerkleHash oldRoot, MerkleHash root) {
        var shift = Long.numberOfTrailingZeros(oldSize);
        var node = (oldSize - 1) >> shift;
        var last = (size - 1) >> shift;
        var old = path.getFirst();
        var now = path.getFirst();
        for (var hash : path.subList(1, path.size())) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                old = MerkleHash.ofNode(hash, old);
                now = MerkleHash.ofNode(hash, now);
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                now = MerkleHash.ofNode(now, hash);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && old.equals(oldRoot) && now.equals(root);
    }
}
