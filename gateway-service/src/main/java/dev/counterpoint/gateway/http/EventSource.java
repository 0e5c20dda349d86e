package dev.counterpoint.gateway.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The source of a stream of events. [StreamWriter] asks it, on one thread.
public interface EventSource {
    /// Waits for what comes next.
    ///
    /// @param atMostMillis how long to wait
    Step next(long atMostMillis) throws InterruptedException;

    /// What waits here, once the output has begun; null where only a thread can take it.
    default @Nullable LoopFeed feed() {
        return null;
    }

    /// Nobody reads any more, be it that the client left, be it that all is written. Any thread, any number
    /// of times.
    void abandon();

    /// One turn of the stream.
    sealed interface Step {
        Step PAUSE = new Pause();
        Step END = new End();
        Step LOST = new Lost();

        static Step of(byte[] block) {
            return new Blocks(List.of(block));
        }

        /// Whole blocks in the form of the transport, as [dev.counterpoint.openai.json.SseFrame] makes them.
        ///
        /// @param blocks made one by one, so that a slow client makes the gateway hold few; to be read once
        record Blocks(Iterable<byte[]> blocks) implements Step {}

        /// Nothing came in the time given.
        record Pause() implements Step {}

        /// Nothing follows.
        record End() implements Step {}

        /// The reader fell behind what is kept for it; it must not take what it has for all.
        record Lost() implements Step {}
    }
}
