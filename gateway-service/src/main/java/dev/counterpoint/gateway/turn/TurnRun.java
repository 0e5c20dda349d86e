package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.http.LoopFeed;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A turn under way: takes the outputs one by one, and at the end does what has to be done before anyone hears of it.
/// Whoever asked may leave at any time; the turn is still brought to its end, so that its row says how it ended.
/// Thread-safe.
///
/// @param <E> what a client reads, piece by piece
public final class TurnRun<E> {
    private static final Logger LOG = LoggerFactory.getLogger(TurnRun.class);
    private static final long PATIENCE_MILLIS = 1_000;

    private final Generations.Generation generation;
    private final TurnAssembler<E> assembler;
    private final Epilogue epilogue;
    private final ReentrantLock reading = new ReentrantLock();
    private final AtomicReference<State> state = new AtomicReference<>(State.ATTENDED);
    private final List<E> beginning;

    private sealed interface State {
        State ATTENDED = new Attended();
        State DETACHED = new Detached();

        /// Whoever asked reads it.
        record Attended() implements State {}

        /// A thread of its own brings it to its end.
        record Detached() implements State {}

        record Ended(TurnEnding how) implements State {}
    }

    /// The work between the end of a turn and the handing out of its last pieces.
    @FunctionalInterface
    public interface Epilogue {
        /// @param onRecord to be run, now or later, when all is on record, so that nobody need take the turn up again
        void close(TurnEnding ending, Runnable onRecord);
    }

    public TurnRun(Generations.Generation generation, TurnAssembler<E> assembler, Epilogue epilogue) {
        this.generation = generation;
        this.assembler = assembler;
        this.epilogue = epilogue;
        this.beginning = assembler.begin(); // before any output, or its events would not be the first
    }

    /// The response that it makes.
    public ResponseId id() {
        return generation.id();
    }

    /// The pieces before the first output.
    List<E> begin() {
        return beginning;
    }

    /// Waits for the next output.
    ///
    /// @return its pieces, none after the end; empty when nothing came in that time
    public Optional<List<E>> advance(long atMostMillis) throws InterruptedException {
        reading.lockInterruptibly();
        try {
            if (ending().isPresent()) {
                return Optional.of(List.of());
            }
            var output = generation.next(atMostMillis);
            if (output == null) {
                return Optional.empty();
            }
            var pieces = assembler.accept(output);
            assembler.ending().ifPresent(this::close);
            return Optional.of(pieces);
        } finally {
            reading.unlock();
        }
    }

    /// What waits to be taken; null where only a thread can take it.
    @Nullable
    LoopFeed feed() {
        return generation.feed();
    }

    /// The ending; empty before the end.
    public Optional<TurnEnding> ending() {
        return state.get() instanceof State.Ended(TurnEnding how) ? Optional.of(how) : Optional.empty();
    }

    /// True if the reader was so slow that outputs were dropped; who reads for a slow client is to leave then.
    boolean fellBehind() {
        return generation.fellBehind();
    }

    /// Brings the turn to its end while its client waits.
    ///
    /// @param firstOutput how long the model may take to say anything
    /// @throws ProblemException 504 when it took longer; the turn is given up then
    public TurnEnding await(Duration firstOutput) throws InterruptedException {
        long deadline = System.nanoTime() + firstOutput.toNanos();
        var first = advance(firstOutput.toMillis());
        while (first.isEmpty() && deadline - System.nanoTime() > 0) {
            first = advance(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
        }
        if (first.isEmpty()) {
            abandon();
            throw new ProblemException(Problem.timedOut("The model did not begin to answer in time."));
        }
        return toTheEnd();
    }

    /// Brings several turns to their ends, all at once; when one cannot be, the others are given up.
    ///
    /// @param firstOutput as of [#await]
    /// @return their endings, in order
    public static List<TurnEnding> awaitAll(List<? extends TurnRun<?>> runs, Duration firstOutput)
            throws InterruptedException {
        if (runs.size() == 1) {
            return List.of(runs.getFirst().await(firstOutput));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = runs.stream()
                    .map(run -> threads.submit(() -> run.await(firstOutput)))
                    .toList();
            var endings = new ArrayList<TurnEnding>();
            try {
                for (var one : waiting) {
                    endings.add(one.get());
                }
                return endings;
            } catch (ExecutionException e) {
                runs.forEach(TurnRun::abandon);
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
            }
        }
    }

    /// Nobody waits any more: ends the turn at the model too. No effect after the end.
    public void abandon() {
        if (ending().isEmpty()) {
            generation.abandon();
            detach();
        }
    }

    /// Brings the turn to its end without anybody waiting.
    public void detach() {
        if (state.compareAndSet(State.ATTENDED, State.DETACHED)) {
            Thread.ofVirtual().name("turn-" + generation.id()).start(() -> {
                try {
                    toTheEnd();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException e) {
                    // Of what was thrown only the kind: its message may quote what the model said.
                    LOG.error(
                            "responseId={} error={}: left to be taken up again",
                            generation.id(),
                            e.getClass().getName());
                }
            });
        }
    }

    private TurnEnding toTheEnd() throws InterruptedException {
        var how = ending();
        while (how.isEmpty()) {
            advance(PATIENCE_MILLIS);
            how = ending();
        }
        return how.get();
    }

    private void close(TurnEnding how) {
        epilogue.close(how, generation::settle);
        state.set(new State.Ended(how));
    }
}
