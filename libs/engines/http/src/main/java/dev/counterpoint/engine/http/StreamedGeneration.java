package dev.counterpoint.engine.http;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenSink;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One output of a server, or of several one after the other. A thread of its own asks and ends; the tokens between
/// come on an event loop.
public final class StreamedGeneration implements Generation, EventStream.Reader {
    private static final String HINT = ": check worker.remote.api-key, .servers and .upstream-model";

    private final String engine;
    private final UpstreamClient client;
    private final TokenSink sink;
    private final Runnable said;
    private final Consumer<StreamedGeneration> release;
    private final AtomicLong heard = new AtomicLong();
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private volatile @Nullable EventStream stream;
    private volatile @Nullable UpstreamServer asked;
    private volatile boolean speaking;
    private volatile boolean cancelled;
    private boolean cachedTold;
    private long heardBefore;

    /// Makes the output. It runs on one thread; an interrupt ends every wait in it.
    @FunctionalInterface
    public interface Run {
        /// @param reader who gets the tokens
        /// @return why it ended
        /// @throws ServerFailure when it came to nothing more
        StopReason follow(StreamedGeneration reader) throws ServerFailure, InterruptedException;
    }

    /// @param engine its kind, for the detail of a failure
    /// @param said told of each token
    /// @param release gives its slot back
    StreamedGeneration(
            String engine,
            UpstreamClient client,
            Run run,
            TokenSink sink,
            Runnable said,
            Consumer<StreamedGeneration> release) {
        this.engine = engine;
        this.client = client;
        this.sink = sink;
        this.said = said;
        this.release = release;
        thread = Thread.ofVirtual().name("remote-generation").unstarted(() -> sink.stopped(end(run)));
    }

    void begin() {
        thread.start();
    }

    private Step.Stopped end(Run run) {
        var end = cancelled ? new Step.Stopped(StopReason.CANCELLED) : followed(run);
        // A connection that was cut because of the cancel is no failure.
        return cancelled && end.reason() == StopReason.FAILED ? new Step.Stopped(StopReason.CANCELLED) : end;
    }

    private Step.Stopped followed(Run run) {
        try {
            return new Step.Stopped(run.follow(this));
        } catch (InterruptedException e) {
            return new Step.Stopped(StopReason.CANCELLED);
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

    /// Asks a server and has its answer heard.
    ///
    /// @param openNanos when the head of the answer is late, as [System#nanoTime] has it
    /// @return what came of it
    public <T> T ask(UpstreamServer server, UpstreamClient.Call call, long openNanos, EventStream.Listener<T> listener)
            throws ServerFailure, InterruptedException {
        asked = server;
        speaking = false;
        try (var answer = client.open(server, call, openNanos, this)) {
            stream = answer;
            return answer.listen(listener);
        } finally {
            stream = null;
        }
    }

    /// The server that is being asked says something of the output.
    public void speaks() {
        speaking = true;
    }

    /// Hands tokens over, to be told further by [#flush].
    public void say(List<Step.Token> tokens) {
        for (var token : cancelled ? List.<Step.Token>of() : tokens) {
            said.run();
            sink.token(token);
        }
    }

    @Override
    public void flush() {
        sink.flush();
    }

    /// As much of the prompt was there already. What is said first counts.
    public void cached(int tokens) {
        if (!cachedTold) {
            cachedTold = true;
            sink.cached(tokens);
        }
    }

    /// A server is asked once more for the same output.
    ///
    /// @param tokens of the prompt that it is sent
    public void prompted(int tokens) {
        sink.prompted(tokens);
    }

    @Override
    public void heard() {
        heard.incrementAndGet();
        var server = asked;
        if (server != null) {
            server.heard();
        }
    }

    @Override
    public boolean hasRoom() {
        return sink.hasRoom();
    }

    @Override
    public void awaitRoom() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!sink.hasRoom()) {
                woken.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        var reading = stream;
        if (reading != null) {
            reading.resume();
        }
        lock.lock();
        try {
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    /// While a request waits in a server's queue, all that is heard of it is that the server is well. Once it speaks,
    /// every wait for more has a limit of its own.
    @Override
    public boolean moved() {
        var server = asked;
        long before = heardBefore;
        heardBefore = heard.get() + (server == null ? 0 : server.answers());
        return heardBefore != before || speaking;
    }

    @Override
    public void cancel() {
        cancelled = true;
        thread.interrupt();
    }

    @Override
    public void close() {
        cancel();
        release.accept(this);
    }
}
