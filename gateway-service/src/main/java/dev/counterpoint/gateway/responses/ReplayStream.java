package dev.counterpoint.gateway.responses;

import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.stream.Replays;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The events of a response once more, from the log: those that its first stream had or would have had, byte by byte.
/// Leaving it changes nothing for the response. For one reader.
final class ReplayStream implements EventSource {
    private final Replays.Replay replay;
    private final ResponseAssembler assembler;
    private final long startingAfter;
    private final Committed committed;
    private boolean begun;
    private volatile boolean over;

    /// What has to be waited for before anyone hears of the end.
    @FunctionalInterface
    interface Committed {
        void await() throws InterruptedException;
    }

    /// @param assembler a new one
    /// @param startingAfter number of the last event that the client has, -1 for none
    ReplayStream(Replays.Replay replay, ResponseAssembler assembler, long startingAfter, Committed committed) {
        this.replay = replay;
        this.assembler = assembler;
        this.startingAfter = startingAfter;
        this.committed = committed;
    }

    @Override
    public Step next(long atMostMillis) throws InterruptedException {
        if (!begun) {
            begun = true;
            var first = blocks(assembler.begin());
            if (!first.isEmpty()) {
                return new Step.Blocks(first);
            }
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        while (!over) {
            var output = replay.next(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            if (output == null) {
                return over ? Step.END : Step.PAUSE;
            }
            var blocks = blocks(assembler.accept(output));
            if (assembler.ending().isPresent()) {
                abandon();
                committed.await();
                blocks.add(SseFrame.done());
            }
            if (!blocks.isEmpty()) {
                return new Step.Blocks(blocks);
            }
        }
        return Step.END;
    }

    @Override
    public void abandon() {
        over = true;
        replay.close();
    }

    private List<byte[]> blocks(List<StreamEvent> events) {
        var blocks = new ArrayList<byte[]>();
        for (var event : events) {
            if (event.sequenceNumber() > startingAfter) {
                blocks.add(SseFrame.event(event.type(), event));
            }
        }
        return blocks;
    }
}
