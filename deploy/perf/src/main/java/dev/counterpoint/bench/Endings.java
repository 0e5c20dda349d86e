package dev.counterpoint.bench;

/// What became of the measured requests.
///
/// @param refused by 429 or 503
/// @param failed by another status, an error, a broken connection or an answer that is not the upstream's
/// @param unfinished when the cell's time was over
/// @param unsent because too many were open already
record Endings(long asked, long completed, long refused, long failed, long unfinished, long unsent) {}
