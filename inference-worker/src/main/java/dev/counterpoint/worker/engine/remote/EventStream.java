package dev.counterpoint.worker.engine.remote;

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
import java.util.Arrays;
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
    /// Longest event. vLLM repeats the prompt in the first one, SGLang the whole output in each.
    static final int EVENT_BYTES_MAX = 32 * 1024 * 1024;

    private static final byte[] DATA = "data:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.US_ASCII);
    private static final int OK = 200;

    private final Runnable heard;
    private final Arrivals arrivals;
    private final Queue<ByteBuffer> unread = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream event = new ByteArrayOutputStream();
    private boolean hasData;

    private EventStream(Runnable heard, Arrivals arrivals) {
        this.heard = heard;
        this.arrivals = arrivals;
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// @param deadlineNanos as [System#nanoTime] has it
    /// @param heard told whenever anything comes from the server
    static EventStream open(HttpClient client, HttpRequest request, long deadlineNanos, Runnable heard)
            throws RemoteFailure, InterruptedException {
        var sent = client.sendAsync(request, BodyHandlers.ofPublisher());
        boolean opened = false;
        try {
            var response = sent.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            heard.run();
            var arrivals = new Arrivals();
            response.body().subscribe(arrivals);
            opened = true;
            if (response.statusCode() != OK) {
                arrivals.cancel();
                throw RemoteFailure.ofStatus(response.statusCode());
            }
            return new EventStream(heard, arrivals);
        } catch (TimeoutException e) {
            throw RemoteFailure.wrong("no answer in time");
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (!opened) {
                abandon(sent);
            }
        }
    }

    /// Also when the answer comes in this very moment.
    private static void abandon(CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> sent) {
        sent.cancel(true);
        sent.thenAccept(response -> {
            var unwanted = new Arrivals();
            response.body().subscribe(unwanted);
            unwanted.cancel();
        });
    }

    private static RemoteFailure failure(@Nullable Throwable cause) {
        if (cause instanceof CompletionException wrapped) {
            return failure(wrapped.getCause());
        }
        boolean unreachable = cause instanceof ConnectException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof UnresolvedAddressException;
        if (unreachable) {
            return new RemoteFailure(RemoteFailure.Kind.UNREACHABLE, "no connection to the server");
        }
        return cause instanceof IOException
                ? new RemoteFailure(RemoteFailure.Kind.CUT, "the connection broke")
                : RemoteFailure.wrong("the request could not be sent");
    }

    /// @return null at the end of the stream
    private byte @Nullable [] pull(long deadlineNanos) throws RemoteFailure, InterruptedException {
        while (true) {
            var complete = scan();
            if (complete != null) {
                return complete;
            }
            switch (arrivals.next(deadlineNanos)) {
                case Arrivals.Bytes(List<ByteBuffer> buffers) -> {
                    heard.run();
                    unread.addAll(buffers);
                }
                case Arrivals.End(Throwable error) -> {
                    if (error != null) {
                        throw failure(error);
                    }
                    return null;
                }
                case Arrivals.None() -> throw RemoteFailure.wrong("no event in time");
            }
        }
    }

    /// The data of the next event of an output whose end was not told yet, so neither the stream's end
    /// nor `[DONE]` may come.
    ///
    /// @throws RemoteFailure when one does, when no event is complete by the deadline, when it is too
    ///     long, or when the connection broke
    public byte[] next(long deadlineNanos) throws RemoteFailure, InterruptedException {
        var event = pull(deadlineNanos);
        if (event == null || Arrays.equals(event, DONE)) {
            throw RemoteFailure.broken("the stream ended before the output did");
        }
        return event;
    }

    private byte @Nullable [] scan() throws RemoteFailure {
        for (var buffer = unread.peek(); buffer != null; buffer = unread.peek()) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    if (endLine()) {
                        return take();
                    }
                } else {
                    line.write(next);
                }
                if (line.size() + event.size() > EVENT_BYTES_MAX) {
                    throw RemoteFailure.wrong("an event is longer than " + EVENT_BYTES_MAX + " bytes");
                }
            }
            unread.remove();
        }
        return null;
    }

    /// @return whether an event is complete
    private boolean endLine() {
        byte[] bytes = line.toByteArray();
        line.reset();
        int length = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        if (length == 0) {
            return hasData;
        }
        // Comments and the other fields say nothing here.
        if (length >= DATA.length && Arrays.mismatch(bytes, 0, DATA.length, DATA, 0, DATA.length) < 0) {
            int from = length > DATA.length && bytes[DATA.length] == ' ' ? DATA.length + 1 : DATA.length;
            if (hasData) {
                event.write('\n');
            }
            event.write(bytes, from, length - from);
            hasData = true;
        }
        return false;
    }

    private byte[] take() {
        byte[] data = event.toByteArray();
        event.reset();
        hasData = false;
        return data;
    }

    /// The server has said its last; what still comes is read in the background, so that the connection
    /// can be used again.
    public void finish() {
        arrivals.drain();
    }

    /// Ends the connection, unless the stream was finished.
    @Override
    public void close() {
        arrivals.cancel();
    }
}
