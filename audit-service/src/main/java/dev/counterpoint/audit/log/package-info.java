/// The audit log as a signed Merkle tree: rows that are committed to, their leaves, tiles and checkpoints.
@NullMarked
package dev.counterpoint.audit.log;

import org.jspecify.annotations.NullMarked;
