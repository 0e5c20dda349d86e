package dev.counterpoint.summarizer.follow;

/// A response whose summary is being made.
///
/// @param offset of its frame 0, from where a successor must read
/// @param deadlineMillis milliseconds since 1970 after which its owner ends it
record Followed(SummaryRun run, long offset, long deadlineMillis) {
    boolean expired(long nowMillis) {
        return nowMillis > deadlineMillis;
    }
}
