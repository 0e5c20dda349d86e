package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.http.LoopFeed;
import dev.counterpoint.servicekit.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Turns as one stream of events. Where the form has pieces before the model's first output
/// ({@link EventFormat#atOnce}) they are written at once; else nothing is written before that output, so
/// that a request that turns out to be wrong still gets an error of its own. The pieces of several turns
/// come in the order in which they are made; the stream ends when all turns have ended, or with the first
/// that has no answer, and the others are given up then. For one reader.
///
/// @param <E> what a client reads, piece by piece
public final class TurnStream<E> implements EventSource {
    /// News of several turns that wait for a slow client; behind them each turn waits in its own bounded
    /// mailbox.
    private static final int WAITING_MAX = 256;
    /// The pace at which one of several turns looks whether anybody still reads.
    private static final long PATIENCE_MILLIS = 250;

    private final List<Reader> readers;
    private final EventFormat<E> format;
    private final Function<List<TurnEnding>, List<E>> afterAll;
    private final BlockingQueue<News<E>> news = new ArrayBlockingQueue<>(WAITING_MAX);
    private final List<TurnEnding> endings = new ArrayList<>();
    private boolean begun;
    private boolean written;
    private volatile boolean over;

    private sealed interface News<E> {
        /// @param ending how the turn ended, or null while it goes on
        record Pieces<E>(List<E> pieces, @Nullable TurnEnding ending) implements News<E> {}

        /// The turn was read so slowly that pieces are lost.
        record Lost<E>() implements News<E> {}
    }

    public TurnStream(TurnRun<E> run, EventFormat<E> format) {
        this(List.of(run), format, _ -> List.of());
    }

    /// @param runs at least one
    /// @param afterAll the pieces after those of all turns
    public TurnStream(List<TurnRun<E>> runs, EventFormat<E> format, Function<List<TurnEnding>, List<E>> afterAll) {
        readers = runs.stream().map(Reader::new).toList();
        this.format = format;
        this.afterAll = afterAll;
    }

    @Override
    public Step next(long atMostMillis) throws InterruptedException {
        if (over) {
            return Step.END;
        }
        if (!begun) {
            begun = true;
            if (format.atOnce()) {
                written = true;
                return told(blocks(readers.getFirst().beginning()));
            }
            if (readers.size() > 1) {
                readers.forEach(
                        reader -> Thread.ofVirtual().name("turn-of-several").start(reader::tellAll));
            }
        }
        return switch (await(atMostMillis)) {
            case null -> {
                written = true;
                yield Step.PAUSE;
            }
            case News.Pieces<E> pieces -> told(blocks(pieces));
            case News.Lost<E> _ -> {
                abandon();
                yield Step.LOST;
            }
        };
    }

    @Override
    public @Nullable LoopFeed feed() {
        return written && !over && readers.size() == 1 ? readers.getFirst().run.feed() : null;
    }

    /// One turn is read by this thread itself, so that its pieces wait in its mailbox alone.
    private @Nullable News<E> await(long atMostMillis) throws InterruptedException {
        return readers.size() == 1
                ? readers.getFirst().next(atMostMillis)
                : news.poll(atMostMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void abandon() {
        over = true;
        readers.forEach(reader -> reader.run.abandon());
    }

    private Stream<byte[]> blocks(List<E> pieces) {
        return pieces.stream().flatMap(piece -> format.blocks(piece).stream());
    }

    private static Step told(Stream<byte[]> blocks) {
        return new Step.Blocks(blocks::iterator);
    }

    private Stream<byte[]> blocks(News.Pieces<E> next) {
        var ending = next.ending();
        if (ending == null) {
            written = true;
            return blocks(next.pieces());
        }
        var refusal = format.refusal(ending);
        endings.add(ending);
        boolean last = refusal.isPresent() || endings.size() == readers.size();
        if (last) {
            abandon();
        }
        if (refusal.isPresent() && !written) {
            throw new ProblemException(refusal.get());
        }
        written = true;
        var said = Stream.concat(blocks(next.pieces()), format.lastWords(ending).stream());
        if (!last) {
            return said;
        }
        var after = refusal.isPresent() ? List.<E>of() : afterAll.apply(endings);
        // Concatenated, and not flattened: to flatten makes all blocks of a stream at once.
        return Stream.concat(Stream.concat(said, blocks(after)), format.done().stream());
    }

    /// Reads one of the turns.
    private final class Reader {
        private final TurnRun<E> run;
        private boolean opened;

        Reader(TurnRun<E> run) {
            this.run = run;
        }

        List<E> beginning() {
            opened = true;
            return run.begin();
        }

        /// Waits for the next pieces; null when none came in that time.
        @Nullable
        News<E> next(long atMostMillis) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
            long left = atMostMillis;
            do {
                var fresh = run.advance(left);
                if (run.fellBehind()) {
                    return new News.Lost<>();
                }
                if (fresh.isPresent()) {
                    var pieces = new ArrayList<E>(opened ? List.of() : beginning());
                    pieces.addAll(fresh.get());
                    var ending = run.ending().orElse(null);
                    if (ending != null || !pieces.isEmpty()) {
                        return new News.Pieces<>(pieces, ending);
                    }
                }
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            } while (left > 0);
            return null;
        }

        void tellAll() {
            try {
                boolean goesOn = true;
                while (goesOn && !over) {
                    var item = next(PATIENCE_MILLIS);
                    if (item != null) {
                        tell(item);
                        goesOn = item instanceof News.Pieces<E> pieces && pieces.ending() == null;
                    }
                }
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
}
