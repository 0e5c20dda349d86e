package dev.counterpoint.tlog;

/// Where a tree's hashes come from: tiles, a database, memory.
@FunctionalInterface
public interface SubtreeHashes {
    /// The root of one complete subtree.
    ///
    /// @param level height of the subtree: it has `2^level` leaves
    /// @param index number of the subtree among those of its height, from the left and from 0
    /// @return the root of the leaves `[index << level, (index + 1) << level)`
    /// @throws InvalidLogException when the log does not hold it
    MerkleHash at(int level, long index);
}
