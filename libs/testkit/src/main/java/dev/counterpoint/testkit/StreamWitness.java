package dev.counterpoint.testkit;

/// Hears every stream that an [SseReader] reads; found as a service. The one of `stream-testkit` judges them.
public interface StreamWitness {
    /// Begins to hear a stream.
    Hearing hear();

    /// One stream, for the one thread that reads it.
    interface Hearing {
        /// The next bytes, as they came.
        void bytes(byte[] bytes, int from, int length);

        /// The stream has ended by itself; not called when its reader leaves or the connection breaks.
        void end();
    }
}
