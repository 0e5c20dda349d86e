package dev.counterpoint.gateway.log;

import java.util.concurrent.atomic.AtomicBoolean;

/// Shared by a response's reader and the following loop: outputs one way, the reader's two last words the other.
/// Thread-safe.
record ReaderHandle(Mailbox mailbox, AtomicBoolean settledFlag, AtomicBoolean abandonedFlag) {
    ReaderHandle(Mailbox mailbox) {
        this(mailbox, new AtomicBoolean(), new AtomicBoolean());
    }

    /// The reader has all it needs, its row included.
    void settle() {
        settledFlag.set(true);
    }

    boolean settled() {
        return settledFlag.get();
    }

    /// Nobody waits for the answer: the owner ends it when it runs, and tries again where that gets lost.
    void abandon() {
        abandonedFlag.set(true);
    }

    boolean abandoned() {
        return abandonedFlag.get();
    }
}
