package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.gateway.admission.JobSpans;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/// Shared by a response's reader and the following loop: outputs one way, the reader's two last words the other; and
/// with whoever sends its job, how far its log was read. Thread-safe.
public record ReaderHandle(
        Mailbox mailbox,
        AtomicBoolean settledFlag,
        AtomicBoolean abandonedFlag,
        AtomicReference<LongSupplier> quietUntilNow,
        AtomicReference<JobSpans> spansOfItsRequest) {
    public ReaderHandle(Mailbox mailbox) {
        this(
                mailbox,
                new AtomicBoolean(),
                new AtomicBoolean(),
                new AtomicReference<>(() -> 0),
                new AtomicReference<>(JobSpans.NONE));
    }

    /// The trace of the request that its jobs belong to, on the gateway that accepted it.
    public void traced(JobSpans spans) {
        spansOfItsRequest.set(spans);
    }

    public JobSpans spans() {
        return spansOfItsRequest.get();
    }

    /// The loop has frame 0 and says from now on how far the log was read; any thread asks.
    void followed(LongSupplier quietUntil) {
        quietUntilNow.set(quietUntil);
    }

    /// Offset before which nothing but frame 0 counts; 0 while nobody knows.
    public long quietUntil() {
        return quietUntilNow.get().getAsLong();
    }

    /// The reader has all it needs, its row included.
    public void settle() {
        settledFlag.set(true);
    }

    boolean settled() {
        return settledFlag.get();
    }

    /// Nobody waits for the answer: the owner ends it when it runs, and tries again where that gets lost.
    public void abandon() {
        abandonedFlag.set(true);
    }

    public boolean abandoned() {
        return abandonedFlag.get();
    }
}
