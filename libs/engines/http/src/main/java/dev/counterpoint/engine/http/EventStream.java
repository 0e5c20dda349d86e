package dev.counterpoint.engine.http;

import dev.counterpoint.openai.sse.SseParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The server-sent events of one answer, pulled by one thread.
///
/// No more is read from the connection than was pulled, so a reader that waits makes the server wait.
/// To close it ends the connection, which is how all these servers learn that nobody listens any more;
/// an answer that was read to its end leaves the connection for the next request.
public final class EventStream implements AutoCloseable {
    private static final String DONE = "[DONE]";
    private static final int OK = 200;
    private static final int REFUSAL_SECONDS_MAX = 2;
    private static final int REFUSAL_CHARACTERS_MAX = 1 << 14;
    private static final byte[] LAST_LINES = {'\n', '\n'};

    private final Runnable heard;
    private final BodyQueue body;
    private final SseParser parser = new SseParser();
    private final Queue<String> events = new ArrayDeque<>();
    private boolean begun;
    private boolean ended;
    /// The body of an answer that is no stream of events; null for a stream.
    private @Nullable ByteArrayOutputStream plain;

    private EventStream(Runnable heard, BodyQueue body) {
        this.heard = heard;
        this.body = body;
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// @param deadlineNanos as [System#nanoTime] has it
    /// @param heard told whenever anything comes from the server
    static EventStream open(HttpClient client, HttpRequest request, long deadlineNanos, Runnable heard)
            throws ServerFailure, InterruptedException {
        var sent = client.sendAsync(request, BodyHandlers.ofPublisher());
        boolean opened = false;
        try {
            var response = sent.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            heard.run();
            var arrivals = new BodyQueue();
            response.body().subscribe(arrivals);
            opened = true;
            if (response.statusCode() != OK) {
                throw ServerFailure.ofStatus(response, beginning(arrivals));
            }
            return new EventStream(heard, arrivals);
        } catch (TimeoutException e) {
            throw ServerFailure.late("no answer in time");
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (!opened) {
                abandon(sent);
            }
        }
    }

    /// As much of a refusal as comes soon; it is read here and goes nowhere.
    private static String beginning(BodyQueue body) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REFUSAL_SECONDS_MAX);
        var text = new StringBuilder();
        try {
            while (text.length() < REFUSAL_CHARACTERS_MAX
                    && body.next(deadline) instanceof BodyQueue.Bytes(List<ByteBuffer> buffers)) {
                buffers.forEach(buffer -> text.append(StandardCharsets.UTF_8.decode(buffer)));
            }
        } finally {
            body.cancel();
        }
        return text.toString();
    }

    /// Also when the answer comes in this very moment.
    private static void abandon(CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> sent) {
        sent.cancel(true);
        sent.thenAccept(response -> {
            var unwanted = new BodyQueue();
            response.body().subscribe(unwanted);
            unwanted.cancel();
        });
    }

    private static ServerFailure failure(@Nullable Throwable cause) {
        if (cause instanceof CompletionException wrapped) {
            return failure(wrapped.getCause());
        }
        boolean unreachable = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnresolvedAddressException;
        if (unreachable) {
            return new ServerFailure(ServerFailure.Kind.UNREACHABLE, "no connection to the server");
        }
        return cause instanceof IOException
                ? new ServerFailure(ServerFailure.Kind.CUT, "the connection broke")
                : ServerFailure.wrong("the request could not be sent");
    }

    /// The data of the next event of an output whose end was not told yet, so neither the stream's end nor
    /// `[DONE]` may come.
    ///
    /// @throws ServerFailure when one does, when no event is complete by the deadline, when an event is too
    ///     long, or when the connection broke
    public String next(long deadlineNanos) throws ServerFailure, InterruptedException {
        var next = nextOrEnd(Long.MAX_VALUE, deadlineNanos);
        if (next == null) {
            throw ServerFailure.broken("the stream ended before the output did");
        }
        return next;
    }

    /// The data of the next event; null when the stream has ended in order, with or without `[DONE]`.
    ///
    /// @param quietNanos the longest time without anything, a comment included
    /// @param deadlineNanos as [System#nanoTime] has it
    /// @throws ServerFailure when no event is complete in time, when an event is too long, or when the
    ///     connection broke
    public @Nullable String nextOrEnd(long quietNanos, long deadlineNanos) throws ServerFailure, InterruptedException {
        while (events.isEmpty() && !ended) {
            long left = Math.min(quietNanos, deadlineNanos - System.nanoTime());
            switch (body.next(System.nanoTime() + left)) {
                case BodyQueue.Bytes(List<ByteBuffer> buffers) -> {
                    heard.run();
                    read(buffers);
                }
                case BodyQueue.End(Throwable error) -> {
                    if (error != null) {
                        throw failure(error);
                    }
                    end();
                }
                case BodyQueue.None() -> throw ServerFailure.late("no event in time");
            }
        }
        var event = events.poll();
        return DONE.equals(event) ? null : event;
    }

    /// Some servers end without the last empty line, and some answer with one JSON value and no events.
    private void end() throws ServerFailure {
        ended = true;
        if (plain != null) {
            events.add(plain.toString(StandardCharsets.UTF_8));
        } else {
            accept(LAST_LINES);
        }
    }

    private void read(List<ByteBuffer> buffers) throws ServerFailure {
        for (var buffer : buffers) {
            var bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            if (!begun && bytes.length > 0) {
                begun = true;
                plain = bytes[0] == '{' ? new ByteArrayOutputStream() : null;
            }
            if (plain == null) {
                accept(bytes);
            } else if (plain.size() + bytes.length > SseParser.BLOCK_BYTES_MAX) {
                throw ServerFailure.wrong("an answer is longer than " + SseParser.BLOCK_BYTES_MAX + " bytes");
            } else {
                plain.writeBytes(bytes);
            }
        }
    }

    private void accept(byte[] bytes) throws ServerFailure {
        try {
            for (var event : parser.accept(bytes, 0, bytes.length)) {
                // A comment keeps the connection open and says nothing.
                if (!event.data().isBlank()) {
                    events.add(event.data().strip());
                }
            }
        } catch (IllegalStateException e) {
            throw ServerFailure.wrong("an event is longer than " + SseParser.BLOCK_BYTES_MAX + " bytes");
        }
    }

    /// The server has said its last; what still comes is read in the background, so that the connection
    /// can be used again.
    public void finish() {
        body.drain();
    }

    /// Ends the connection, unless the stream was finished.
    @Override
    public void close() {
        body.cancel();
    }
}
