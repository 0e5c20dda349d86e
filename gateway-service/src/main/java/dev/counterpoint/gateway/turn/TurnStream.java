package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.servicekit.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// A turn as server-sent events. In the foreground nothing is written before the model's first output, so that a
/// request that turns out to be wrong still gets an error of its own; in the background the client is told at once
/// what to come back for. For one reader.
///
/// @param <E> what a client reads, piece by piece
public final class TurnStream<E> implements EventSource {
    private final TurnRun<E> run;
    private final Form<E> form;
    private boolean begun;
    private boolean written;
    private boolean over;

    /// How the pieces look on the wire.
    ///
    /// @param block the SSE block of a piece
    /// @param atOnce whether the pieces before the first output do not wait for it
    /// @param refusal the error that an ending is when nothing was written yet; empty when a stream can tell it
    /// @param lastWords blocks after the last piece, before `[DONE]`
    public record Form<E>(
            boolean atOnce,
            Function<E, byte[]> block,
            Function<Ending, Optional<Problem>> refusal,
            Function<Ending, List<byte[]>> lastWords) {}

    public TurnStream(TurnRun<E> run, Form<E> form) {
        this.run = run;
        this.form = form;
    }

    @Override
    public Step next(long atMostMillis) throws InterruptedException {
        if (over) {
            return Step.END;
        }
        if (form.atOnce && !begun) {
            var first = blocks(List.of());
            written = true;
            return new Step.Blocks(first);
        }
        try {
            return awaitNext(atMostMillis);
        } catch (Generations.LaggingReaderException e) {
            run.abandon();
            over = true;
            return Step.LOST;
        }
    }

    private Step awaitNext(long atMostMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
        long left = atMostMillis;
        do {
            var pieces = run.advance(left);
            if (pieces.isPresent()) {
                var blocks = blocks(pieces.get());
                if (!blocks.isEmpty()) {
                    written = true;
                    return new Step.Blocks(blocks);
                }
            }
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        } while (left > 0);
        written = true;
        return Step.PAUSE;
    }

    @Override
    public void abandon() {
        run.abandon();
    }

    private List<byte[]> blocks(List<E> pieces) {
        var ending = run.ending();
        if (!written) {
            ending.flatMap(form.refusal).ifPresent(problem -> {
                throw new ProblemException(problem);
            });
        }
        var blocks = new ArrayList<byte[]>();
        if (!begun) {
            begun = true;
            run.begin().forEach(piece -> blocks.add(form.block.apply(piece)));
        }
        pieces.forEach(piece -> blocks.add(form.block.apply(piece)));
        ending.ifPresent(how -> {
            over = true;
            blocks.addAll(form.lastWords.apply(how));
            blocks.add(SseFrame.done());
        });
        return blocks;
    }
}
