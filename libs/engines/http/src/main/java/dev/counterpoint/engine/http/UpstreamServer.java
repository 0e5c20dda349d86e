package dev.counterpoint.engine.http;

import java.net.URI;
import java.time.Duration;

/// Load and health of one server. Thread-safe; times are nanoseconds as [System#nanoTime] has them.
///
/// It is left out when nobody is there, after [#FAILURES_MAX] failures in a row, or when it says that
/// it is not well; it comes back when it says that it is.
public final class UpstreamServer {
    static final int FAILURES_MAX = 3;
    static final long BACKOFF_MIN_NANOS = Duration.ofMillis(500).toNanos();
    static final long BACKOFF_MAX_NANOS = Duration.ofSeconds(30).toNanos();

    private final URI address;
    private final long healthNanos;
    private int load;
    private int failures;
    private boolean out;
    private boolean proven;
    private boolean asked;
    private long askAtNanos;
    private long backoffNanos = BACKOFF_MIN_NANOS;
    private long answers;

    /// @param healthNanos between two questions after its health
    UpstreamServer(URI address, long healthNanos, long nowNanos) {
        this.address = address;
        this.healthNanos = healthNanos;
        this.askAtNanos = nowNanos;
    }

    URI address() {
        return address;
    }

    /// Requests that run there for us.
    synchronized int load() {
        return load;
    }

    synchronized void begin() {
        load++;
    }

    synchronized void end() {
        load--;
    }

    /// True if it may be used. A server that nobody has heard of yet may.
    synchronized boolean usable() {
        return !out;
    }

    /// True if it may be used and has answered before.
    synchronized boolean ready() {
        return proven && !out;
    }

    public synchronized void succeeded() {
        failures = 0;
        proven = true;
    }

    /// @return whether it is left out from now on
    synchronized boolean failed(ServerFailure.Kind kind, long nowNanos) {
        boolean well = kind == ServerFailure.Kind.MISTAKE
                || kind == ServerFailure.Kind.TOO_LONG
                || kind == ServerFailure.Kind.BUSY;
        if (out || well) {
            return false;
        }
        failures++;
        if (kind != ServerFailure.Kind.UNREACHABLE && failures < FAILURES_MAX) {
            return false;
        }
        leaveOut(nowNanos);
        return true;
    }

    private void leaveOut(long nowNanos) {
        out = true;
        backoffNanos = BACKOFF_MIN_NANOS;
        askAtNanos = nowNanos + backoffNanos;
    }

    /// True if to ask after its health now; if so, [#answered] follows.
    synchronized boolean due(long nowNanos) {
        if (asked || nowNanos - askAtNanos < 0) {
            return false;
        }
        asked = true;
        return true;
    }

    /// @return whether this changed its being left out
    synchronized boolean answered(boolean well, long nowNanos) {
        asked = false;
        boolean wasOut = out;
        if (well) {
            answers++;
            out = false;
            proven = true;
            failures = 0;
            askAtNanos = nowNanos + healthNanos;
        } else if (out) {
            backoffNanos = Math.min(2 * backoffNanos, BACKOFF_MAX_NANOS);
            askAtNanos = nowNanos + backoffNanos;
        } else {
            leaveOut(nowNanos);
        }
        return wasOut != out;
    }

    /// The number of answers that the server is well.
    synchronized long answers() {
        return answers;
    }
}
