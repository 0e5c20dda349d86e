/// A Merkle log in standard formats, which foreign verifiers read too: RFC 6962 hashing, tiles, checkpoints as
/// signed
/// notes, proofs. [dev.counterpoint.tlog.TileLogWriter] writes a log, [dev.counterpoint.tlog.MerkleTree] proves what
/// is in it, [dev.counterpoint.tlog.LogPolicy] decides which checkpoints count.
@NullMarked
package dev.counterpoint.tlog;

import org.jspecify.annotations.NullMarked;
