package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.servicekit.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Several turns as one stream of server-sent events, their pieces in the order in which they come. It ends when all
/// have ended, or with the first that has no answer; the others are given up then. For one reader.
///
/// @param <E> what a client reads, piece by piece
public final class TurnStreams<E> implements EventSource {
    /// Outputs that wait for a slow client; behind them each turn waits in its own bounded mailbox.
    private static final int WAITING_MAX = 256;
    /// How often a turn without news looks whether anybody still reads.
    private static final long PATIENCE_MILLIS = 250;

    private final List<TurnRun<E>> runs;
    private final TurnStream.Form<E> form;
    private final Function<List<Ending>, List<E>> afterAll;
    private final BlockingQueue<News<E>> news = new ArrayBlockingQueue<>(WAITING_MAX);
    private final List<Ending> endings = new ArrayList<>();
    private boolean begun;
    private boolean written;
    private volatile boolean over;

    /// What a turn brought.
    ///
    /// @param ending how it ended, or null while it goes on
    /// @param lost whether its pieces are lost, because they were read too slowly
    private record News<E>(List<E> pieces, @Nullable Ending ending, boolean lost) {}

    /// @param form as of a single turn
    /// @param afterAll the pieces after those of all turns
    public TurnStreams(List<TurnRun<E>> runs, TurnStream.Form<E> form, Function<List<Ending>, List<E>> afterAll) {
        this.runs = List.copyOf(runs);
        this.form = form;
        this.afterAll = afterAll;
    }

    @Override
    public Step next(long atMostMillis) throws InterruptedException {
        if (over) {
            return Step.END;
        }
        if (!begun) {
            begun = true;
            runs.forEach(run -> Thread.ofVirtual().name("turn-of-several").start(() -> follow(run)));
        }
        var next = news.poll(atMostMillis, TimeUnit.MILLISECONDS);
        if (next == null) {
            written = true;
            return Step.PAUSE;
        }
        if (next.lost) {
            abandon();
            return Step.LOST;
        }
        return new Step.Blocks(blocks(next));
    }

    @Override
    public void abandon() {
        over = true;
        runs.forEach(TurnRun::abandon);
    }

    private List<byte[]> blocks(News<E> next) {
        var ending = next.ending;
        if (ending != null && !written) {
            form.refusal().apply(ending).ifPresent(problem -> {
                abandon();
                throw new ProblemException(problem);
            });
        }
        written = true;
        var blocks = new ArrayList<byte[]>();
        next.pieces.forEach(piece -> blocks.add(form.block().apply(piece)));
        if (ending == null) {
            return blocks;
        }
        endings.add(ending);
        if (form.refusal().apply(ending).isPresent()) {
            abandon();
            blocks.addAll(form.lastWords().apply(ending));
            blocks.add(SseFrame.done());
        } else if (endings.size() == runs.size()) {
            over = true;
            afterAll.apply(endings).forEach(piece -> blocks.add(form.block().apply(piece)));
            blocks.add(SseFrame.done());
        }
        return blocks;
    }

    private void follow(TurnRun<E> run) {
        try {
            boolean opened = false;
            while (!over) {
                var pieces = run.advance(PATIENCE_MILLIS);
                if (pieces.isPresent()) {
                    var all = new ArrayList<E>(opened ? List.of() : run.begin());
                    opened = true;
                    all.addAll(pieces.get());
                    var ending = run.ending().orElse(null);
                    if (ending != null || !all.isEmpty()) {
                        tell(new News<>(all, ending, false));
                    }
                    if (ending != null) {
                        return;
                    }
                }
            }
        } catch (Generations.LaggingReaderException e) {
            tellLost();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellLost() {
        try {
            tell(new News<>(List.of(), null, true));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(News<E> item) throws InterruptedException {
        while (!over && !news.offer(item, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            // the client is slow: looked at again, so that one that left is noticed
        }
    }
}
