package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import java.util.concurrent.Executor;

/// Begins the summary of a response from its frame 0.
///
/// @param preparers read the requests, each of which may be long
record SummaryStarter(KeyRing keys, SentenceSource.Factory sentences, Executor preparers) {
    /// @param trust that verified frame 0
    /// @param offset of frame 0
    SummarizedResponse begin(LogTrust trust, Accepted accepted, long offset) {
        var run = new SummaryRun(trust, accepted, keys, sentences);
        return new SummarizedResponse(run, offset, accepted.deadlineMillis(), preparers);
    }
}
