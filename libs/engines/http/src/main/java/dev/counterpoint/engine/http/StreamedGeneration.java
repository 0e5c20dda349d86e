package dev.counterpoint.engine.http;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reader's end of one output: a few chunks of steps lie ready here, and when nobody fetches them the
/// server waits.
public final class StreamedGeneration implements Generation {
    static final int CHUNKS_AHEAD = 16;
    private static final int UNTOLD = -1;
    private static final String HINT = ": check worker.remote.api-key, .servers and .upstream-model";

    private final String engine;
    private final Runnable said;
    private final Consumer<StreamedGeneration> release;
    private final BlockingQueue<List<? extends Step>> chunks = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
    /// The rest of the chunk that the reader is in; of its thread.
    private Iterator<? extends Step> chunk = Collections.emptyIterator();
    private final AtomicLong heard = new AtomicLong();
    private final Thread thread;
    private volatile @Nullable UpstreamServer awaited;
    private volatile boolean speaking;
    private volatile boolean cancelled;
    private volatile Step.@Nullable Stopped stopped;
    private final AtomicInteger cachedTokens = new AtomicInteger(UNTOLD);
    private final AtomicInteger furtherPromptTokens = new AtomicInteger();
    private long heardBefore;

    /// Makes the output. It runs on one thread; an interrupt ends every wait in it.
    @FunctionalInterface
    public interface Run {
        /// @param reader who gets the steps
        /// @return why it ended
        /// @throws ServerFailure when it came to nothing more
        StopReason follow(StreamedGeneration reader) throws ServerFailure, InterruptedException;
    }

    /// @param engine its kind, for the detail of a failure
    /// @param said told of each token
    /// @param release gives its slot back
    StreamedGeneration(String engine, Run run, Runnable said, Consumer<StreamedGeneration> release) {
        this.engine = engine;
        this.said = said;
        this.release = release;
        thread = Thread.ofVirtual().name("remote-generation").unstarted(() -> follow(run));
    }

    void begin() {
        thread.start();
    }

    private void follow(Run run) {
        try {
            if (!cancelled) {
                chunks.put(List.of(last(run)));
            }
        } catch (InterruptedException e) {
            // Cancelled: nobody waits for a last step.
            Thread.currentThread().interrupt();
        }
    }

    private Step.Stopped last(Run run) throws InterruptedException {
        try {
            return new Step.Stopped(run.follow(this));
        } catch (ServerFailure e) {
            return stopped(reason(e), e.getMessage() + (e.isForOperators() ? HINT : ""));
        } catch (RuntimeException e) {
            // The mask refused the prefix, or there is a bug; the message could hold content, the type cannot.
            return stopped(StopReason.FAILED, e.getClass().getSimpleName());
        }
    }

    private static StopReason reason(ServerFailure failure) {
        return switch (failure.kind()) {
            case TOO_LONG -> StopReason.PROMPT_TOO_LONG;
            case MISTAKE -> failure.isForOperators() ? StopReason.MISCONFIGURED : StopReason.REFUSED;
            case BUSY -> StopReason.BUSY;
            case UNREACHABLE, CUT, BROKEN, LATE, WRONG, UNFIT -> StopReason.FAILED;
        };
    }

    private Step.Stopped stopped(StopReason reason, String detail) {
        return new Step.Stopped(reason, engine + " engine: " + detail);
    }

    @Override
    public Step next() throws InterruptedException {
        var end = stopped;
        if (end != null) {
            return end;
        }
        var step = cancelled ? new Step.Stopped(StopReason.CANCELLED) : poll();
        if (step instanceof Step.Stopped last) {
            stopped = last;
        }
        return step == null ? waited() : step;
    }

    private @Nullable Step poll() throws InterruptedException {
        if (!chunk.hasNext()) {
            var next = chunks.poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            if (next == null) {
                return null;
            }
            chunk = next.iterator();
        }
        return chunk.next();
    }

    @Override
    public boolean isReady() {
        return chunk.hasNext() || !chunks.isEmpty();
    }

    private Step waited() {
        var server = awaited;
        // While a request waits in a server's queue, all that is heard of it is that the server is
        // well.
        long now = heard.get() + (server == null ? 0 : server.answers());
        // Once it speaks, every wait for more has a limit of its own.
        boolean moved = now != heardBefore || speaking;
        heardBefore = now;
        return moved ? new Step.Working() : new Step.Silent();
    }

    /// Hands over what came together; waits while the reader does not keep up.
    public void say(List<Step.Token> tokens) throws InterruptedException {
        if (!tokens.isEmpty()) {
            tokens.forEach(_ -> said.run());
            chunks.put(List.copyOf(tokens));
        }
    }

    @Override
    public int cachedTokens() {
        return Math.max(0, cachedTokens.get());
    }

    /// A server says how much of what it was sent it had already. What counts is the first request of an
    /// output: the others find what that one left.
    public void cached(int tokens) {
        cachedTokens.compareAndSet(UNTOLD, tokens);
    }

    @Override
    public int furtherPromptTokens() {
        return furtherPromptTokens.get();
    }

    /// A server is asked once more for the same output.
    ///
    /// @param tokens of the prompt that it is sent
    public void prompted(int tokens) {
        furtherPromptTokens.addAndGet(tokens);
    }

    /// Something came from a server.
    public void heard() {
        heard.incrementAndGet();
    }

    /// @param server that was asked and has not said its first token; null when it has
    public void awaits(@Nullable UpstreamServer server) {
        awaited = server;
        speaking = server == null;
    }

    @Override
    public void cancel() {
        cancelled = true;
        // Wakes a reader that waits; one that does not finds the flag.
        chunks.offer(List.of(new Step.Stopped(StopReason.CANCELLED)));
        thread.interrupt();
    }

    @Override
    public void close() {
        cancel();
        release.accept(this);
    }
}
