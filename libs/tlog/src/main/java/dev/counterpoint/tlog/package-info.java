/// A Merkle log in standard formats, which other people's verifiers read too: RFC 6962 hashes, tiles, checkpoints as
/// signed notes, proofs. [dev.counterpoint.tlog.TileLogWriter] writes a log, [dev.counterpoint.tlog.MerkleTree]
/// proves its content, [dev.counterpoint.tlog.LogPolicy] decides which checkpoints count,
/// [dev.counterpoint.tlog.WitnessClient] asks witnesses for cosignatures.
@NullMarked
package dev.counterpoint.tlog;

import org.jspecify.annotations.NullMarked;
