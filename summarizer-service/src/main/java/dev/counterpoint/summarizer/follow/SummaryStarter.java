package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.KeyRing;
import java.util.concurrent.Executor;

/// Begins the summary of a response from its frame 0.
///
/// @param preparers read the requests, each of which may be long
record SummaryStarter(KeyRing keys, SentenceSource.Factory sentences, Executor preparers) {
    /// @param offset of frame 0
    SummarizedResponse begin(Frame frame, Accepted accepted, long offset) {
        var run = new SummaryRun(frame.response(), accepted, keys, sentences);
        return new SummarizedResponse(run, offset, accepted.deadlineMillis(), preparers);
    }
}
