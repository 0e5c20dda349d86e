package dev.counterpoint.engine.http;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Load and health of one server. Thread-safe; times are nanoseconds as [System#nanoTime] has them.
///
/// It is left out when nobody is there, after [#FAILURES_MAX] failures in a row, when it says that it is not well,
/// when its engine objects to it, or when it left [#MISSES_MAX] questions in a row unanswered while nothing else was
/// heard of it: SGLang answers none while it computes a long prompt. It comes back when it says that it is well and
/// was examined.
public final class UpstreamServer {
    static final int FAILURES_MAX = 3;
    static final int MISSES_MAX = 3;
    static final long BACKOFF_MIN_NANOS = Duration.ofMillis(500).toNanos();
    static final long BACKOFF_MAX_NANOS = Duration.ofSeconds(30).toNanos();

    private final URI address;
    private final long healthNanos;
    private int load;
    private int failures;
    private int misses;
    private boolean heard;
    private boolean out;
    private boolean examined;
    private @Nullable String objection;
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

    /// The answer to a question after a server's health.
    enum Pulse {
        WELL,
        /// It says that it is not.
        ILL,
        /// Nobody is there.
        GONE,
        /// None in time.
        NONE
    }

    public URI address() {
        return address;
    }

    /// Requests that run there for us.
    public synchronized int load() {
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

    /// Something came from it.
    synchronized void heard() {
        heard = true;
    }

    /// True if the engine has to look at it before it is used, or used again.
    synchronized boolean unexamined() {
        return out || !examined;
    }

    /// What the engine has against it; null when it has nothing, or was not asked yet.
    synchronized @Nullable String objection() {
        return objection;
    }

    /// The engine looked at it.
    ///
    /// @param against null when it may serve
    /// @return whether this changed its being left out, or what is said against it
    synchronized boolean examined(@Nullable String against, long nowNanos) {
        boolean news = !Objects.equals(objection, against);
        objection = against;
        examined = against == null;
        return answered(against == null ? Pulse.WELL : Pulse.ILL, nowNanos) || news;
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
        boolean atOnce = kind == ServerFailure.Kind.UNREACHABLE || kind == ServerFailure.Kind.UNFIT;
        if (!atOnce && failures < FAILURES_MAX) {
            return false;
        }
        leaveOut(nowNanos);
        return true;
    }

    private void leaveOut(long nowNanos) {
        out = true;
        misses = 0;
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
    synchronized boolean answered(Pulse pulse, long nowNanos) {
        asked = false;
        boolean wasOut = out;
        if (pulse == Pulse.WELL) {
            answers++;
            out = false;
            proven = true;
            failures = 0;
            misses = 0;
            askAtNanos = nowNanos + healthNanos;
        } else if (pulse == Pulse.NONE && !out && missed() < MISSES_MAX) {
            askAtNanos = nowNanos + healthNanos;
        } else if (out) {
            backoffNanos = Math.min(2 * backoffNanos, BACKOFF_MAX_NANOS);
            askAtNanos = nowNanos + backoffNanos;
        } else {
            leaveOut(nowNanos);
        }
        return wasOut != out;
    }

    private int missed() {
        misses = heard ? 1 : misses + 1;
        heard = false;
        return misses;
    }

    /// The number of answers that the server is well.
    synchronized long answers() {
        return answers;
    }
}
