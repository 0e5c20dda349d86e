package dev.counterpoint.engine;

/// One running sequence, whose tokens go to a [TokenSink]. It holds a slot of its engine from [Engine#start] until
/// [#close]. Thread-safe.
public interface Generation extends AutoCloseable {
    /// Its sink has room again.
    void wake();

    /// Whether the engine did anything for this sequence, or waits for it with good reason, since this was asked
    /// last; a few times without are normal, many in a row are a hanging engine. One thread asks.
    boolean moved();

    /// Ends it: at most one token more comes, then [StopReason#CANCELLED].
    void cancel();

    /// Cancels what still runs and gives the slot back. Idempotent.
    @Override
    void close();
}
