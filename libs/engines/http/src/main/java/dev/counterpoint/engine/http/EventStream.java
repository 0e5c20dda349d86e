package dev.counterpoint.engine.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The server-sent events of one answer. They are read, and as a rule heard, on the event loop of their
/// connection; the thread that called [#listen] waits for the result.
///
/// To close it ends the connection, which is how all these servers learn that nobody listens any more; an answer that
/// was heard to its end leaves the connection for the next request.
public final class EventStream implements AutoCloseable {
    private static final String DONE = "[DONE]";
    private static final int OK = 200;
    private static final int REFUSAL_SECONDS_MAX = 2;
    private static final int REFUSAL_CHARACTERS_MAX = 1 << 14;
    private static final long DRAIN_MILLIS_MAX = 1000;
    /// Pieces of an answer that wait for the thread that hears them; while there are more, the server waits.
    private static final int AHEAD_MAX = 16;

    private final HttpClientResponse response;
    private final Context loop;
    private final Reader reader;
    private final EventText text = new EventText();
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean closed;
    private volatile boolean paused;
    /// Touched by the event loop only, like `early` and `ended`: receives the body; null before [#read].
    private @Nullable Consumer<Arrival> body;

    private final List<Arrival> early = new ArrayList<>();
    private boolean ended;

    /// What is asked, and with which client.
    record Question(HttpClient client, RequestOptions head, Buffer body) {}

    /// Whose answer it is.
    interface Reader {
        /// Of an answer that is heard and goes nowhere.
        Reader NOBODY = new Reader() {};

        /// Something came from the server. Any thread.
        default void heard() {}

        /// What came together was heard.
        default void flush() {}

        /// False lets the server wait, until [#resume]. Any thread.
        default boolean hasRoom() {
            return true;
        }

        default void awaitRoom() throws InterruptedException {}
    }

    /// Hears the events of one answer, on one thread at a time.
    ///
    /// @param <T> result of the answer
    public interface Listener<T> {
        /// @param data of the next event; null where the stream has ended in order, with or without `[DONE]`
        /// @return what came of the answer; null, which only an event may mean, for more of it
        /// @throws ServerFailure when it came to nothing
        @Nullable
        T hear(@Nullable String data) throws ServerFailure, InterruptedException;

        /// The time at which the next event is late, as [System#nanoTime] has it. Any thread; asked again when it has
        /// come.
        ///
        /// @param heardNanos when anything came last, a comment included
        long lateAtNanos(long heardNanos);

        /// True if the server has said its last, so that the connection can be used again. Asked when something has
        /// come of the answer.
        boolean hasAll();

        /// True if hearing may block, or takes long: then the thread that listens hears, and not the event loop.
        default boolean blocks() {
            return false;
        }
    }

    /// Something that came, to be heard.
    private interface Piece<T> {
        @Nullable
        T hear() throws ServerFailure, InterruptedException;
    }

    /// A piece of the body.
    private sealed interface Arrival {
        record Bytes(Buffer buffer) implements Arrival {}

        /// @param cause null at the regular end
        record End(@Nullable Throwable cause) implements Arrival {}
    }

    /// On the event loop, where whatever comes has a handler at once.
    private EventStream(HttpClientResponse response, Reader reader) {
        this.response = response;
        this.reader = reader;
        loop = Objects.requireNonNull(Vertx.currentContext());
        response.handler(bytes -> arrived(new Arrival.Bytes(bytes)));
        response.endHandler(_ -> {
            ended = true;
            arrived(new Arrival.End(null));
        });
        response.exceptionHandler(cause -> arrived(new Arrival.End(cause)));
    }

    private void arrived(Arrival next) {
        if (body == null) {
            early.add(next);
        } else {
            body.accept(next);
        }
    }

    private void read(Consumer<Arrival> into) {
        loop.runOnContext(_ -> {
            body = into;
            early.forEach(into);
            early.clear();
        });
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// @param deadlineNanos as [System#nanoTime] has it
    static EventStream open(Question question, long deadlineNanos, Reader reader)
            throws ServerFailure, InterruptedException {
        var opening = new CompletableFuture<EventStream>();
        // All on the event loop: what is asked for later may be gone with the connection.
        question.client
                .request(question.head)
                .compose(sent -> {
                    opening.whenComplete((_, failure) -> {
                        if (failure instanceof CancellationException) {
                            sent.reset();
                        }
                    });
                    return sent.send(question.body).map(response -> new EventStream(response, reader));
                })
                .onComplete(opening::complete, opening::completeExceptionally);
        try {
            var stream = opening.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            reader.heard();
            return stream.orRefusal();
        } catch (TimeoutException e) {
            throw ServerFailure.late("no answer in time");
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            opening.cancel(false);
        }
    }

    private EventStream orRefusal() throws ServerFailure, InterruptedException {
        if (response.statusCode() == OK) {
            return this;
        }
        try (this) {
            throw ServerFailure.ofStatus(response.statusCode(), response.getHeader("Retry-After"), beginning());
        }
    }

    /// As much of a refusal as comes soon; it is read here and goes nowhere.
    private String beginning() throws InterruptedException {
        var refusal = new StringBuffer();
        var whole = new CompletableFuture<Void>();
        read(next -> {
            if (next instanceof Arrival.Bytes(Buffer bytes)) {
                refusal.append(bytes.toString(StandardCharsets.UTF_8));
            }
            if (next instanceof Arrival.End || refusal.length() >= REFUSAL_CHARACTERS_MAX) {
                whole.complete(null);
            }
        });
        try {
            whole.get(REFUSAL_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // What came will do.
        }
        return refusal.toString();
    }

    private static ServerFailure failure(@Nullable Throwable cause) {
        if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
            return new ServerFailure(ServerFailure.Kind.UNREACHABLE, "no connection to the server");
        }
        return cause instanceof IOException || cause instanceof VertxException
                ? new ServerFailure(ServerFailure.Kind.CUT, "the connection broke")
                : ServerFailure.wrong("the request could not be sent");
    }

    /// Has the events heard until something comes of them, and waits for that. Once.
    ///
    /// @throws ServerFailure when the listener does, an event is late or too long, or the connection broke
    public <T> T listen(Listener<T> listener) throws ServerFailure, InterruptedException {
        var pieces = new LinkedBlockingQueue<Piece<T>>();
        read(new Hearing<>(listener, pieces));
        while (true) {
            long late = listener.lateAtNanos(heardNanos);
            var piece = pieces.poll(late - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (piece != null) {
                var result = piece.hear();
                if (result != null) {
                    if (listener.hasAll()) {
                        drain();
                    }
                    return result;
                }
                reader.awaitRoom();
                resume();
            } else if (System.nanoTime() - listener.lateAtNanos(heardNanos) >= 0) {
                throw ServerFailure.late("no event in time");
            }
        }
    }

    /// The reader may have room again. Any thread.
    void resume() {
        if (paused && reader.hasRoom()) {
            loop.runOnContext(_ -> {
                paused = false;
                response.resume();
            });
        }
    }

    /// Of the event loop.
    private final class Hearing<T> implements Consumer<Arrival> {
        private final Listener<T> listener;
        private final BlockingQueue<Piece<T>> pieces;
        private boolean over;

        Hearing(Listener<T> listener, BlockingQueue<Piece<T>> pieces) {
            this.listener = listener;
            this.pieces = pieces;
        }

        @Override
        public void accept(Arrival next) {
            switch (next) {
                case Arrival.Bytes(Buffer bytes) -> {
                    heardNanos = System.nanoTime();
                    reader.heard();
                    arrived(() -> hear(text.events(bytes.getBytes())));
                }
                case Arrival.End(Throwable cause) ->
                    arrived(() -> {
                        if (cause != null) {
                            throw failure(cause);
                        }
                        var result = hear(text.last());
                        return result == null ? listener.hear(null) : result;
                    });
            }
        }

        private void arrived(Piece<T> piece) {
            if (over || closed) {
                return;
            }
            if (listener.blocks()) {
                pieces.add(piece);
                pauseIf(pieces.size() > AHEAD_MAX);
                return;
            }
            try {
                var result = piece.hear();
                if (result != null) {
                    settle(() -> result);
                }
            } catch (ServerFailure | InterruptedException | RuntimeException e) {
                settle(() -> {
                    throw e;
                });
            }
            pauseIf(!reader.hasRoom());
        }

        private void settle(Piece<T> outcome) {
            over = true;
            pieces.add(outcome);
        }

        private @Nullable T hear(List<String> events) throws ServerFailure, InterruptedException {
            T result = null;
            for (var event = events.iterator(); result == null && event.hasNext(); ) {
                var data = event.next();
                result = listener.hear(DONE.equals(data) ? null : data);
            }
            reader.flush();
            return result;
        }
    }

    private void pauseIf(boolean full) {
        if (full && !paused && !ended) {
            paused = true;
            response.pause();
        }
    }

    /// Ignores the rest of the answer, and gives the server a moment to end it.
    private void drain() {
        closed = true;
        loop.runOnContext(_ -> {
            body = _ -> {};
            response.resume();
            loop.owner().setTimer(DRAIN_MILLIS_MAX, _ -> reset());
        });
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            loop.runOnContext(_ -> reset());
        }
    }

    private void reset() {
        if (!ended) {
            response.request().reset();
        }
    }
}
