package dev.counterpoint.summarizer.follow;

import dev.counterpoint.servicekit.tracing.RequestSpan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A response whose summary is being made. Its frames wait here while its request is read, so that a long request
/// holds up no other response. Not thread-safe.
final class SummarizedResponse {
    /// The most frames that may wait; beyond that the reader waits, too.
    private static final int WAITING_MAX = 10_000;

    final SummaryRun run;
    /// Of its frame 0, from where a successor must read.
    final long offset;
    final RequestSpan span;
    private final long deadlineMillis;
    private final CompletableFuture<Void> preparation;
    private final Deque<LoggedFrame> waiting = new ArrayDeque<>();

    /// @param offset of its frame 0
    /// @param deadlineMillis milliseconds since 1970 after which its owner ends it
    SummarizedResponse(SummaryRun run, long offset, long deadlineMillis, Executor preparers, RequestSpan span) {
        this.span = span;
        this.run = run;
        this.offset = offset;
        this.deadlineMillis = deadlineMillis;
        // A failure there makes the summary fail with its first frame.
        preparation = CompletableFuture.runAsync(run::prepare, preparers).exceptionally(_ -> null);
    }

    boolean prepared() {
        return preparation.isDone();
    }

    void offer(LoggedFrame frame) {
        if (waiting.size() >= WAITING_MAX) {
            preparation.join();
        }
        waiting.add(frame);
    }

    /// The next frame to take; null when there is none, or none yet.
    @Nullable
    LoggedFrame next() {
        return prepared() ? waiting.poll() : null;
    }

    boolean expired(long nowMillis) {
        return nowMillis > deadlineMillis;
    }
}
