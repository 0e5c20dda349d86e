package dev.counterpoint.engine;

import java.time.Duration;

/// One running sequence. It holds a slot of its engine from [Engine#start] until [#close].
///
/// One thread pulls; any thread may cancel or close.
public interface Generation extends AutoCloseable {
    /// The longest that [#next] blocks.
    Duration PATIENCE = Duration.ofMillis(250);

    /// Waits for the next step, at most [#PATIENCE]. Once it returned a [Step.Stopped] it returns that one
    /// for ever. An engine that breaks says so by `Stopped(FAILED)`, it does not throw.
    Step next() throws InterruptedException;

    /// True if a step lies ready, so that [#next] returns it at once: a reader takes what belongs together, or
    /// what it fell behind by, before it passes any of it on. For the thread that pulls.
    default boolean isReady() {
        return false;
    }

    /// The number of tokens at the beginning of the prompt that needed no work, because the work of an earlier
    /// sequence was used again. Settled with the last step, mostly with the first token; 0 where nothing was
    /// used, or nobody can tell.
    default int cachedTokens() {
        return 0;
    }

    /// The number of tokens of prompts beyond the request's own: an engine may need several requests of its
    /// servers for one output. Grows until the end.
    default int furtherPromptTokens() {
        return 0;
    }

    /// Asks for the end, from any thread, any number of times: at most one more token comes out, then
    /// `Stopped(CANCELLED)`, and a [#next] that blocks wakes up. Without effect on a generation that has
    /// stopped.
    void cancel();

    /// Cancels and gives the slot back. Idempotent.
    @Override
    void close();
}
