package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.JobTicket;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Frame 0 of a response, on its way to the log and with the first ticket to a worker. Thread-safe.
public final class FrameZero {
    /// A larger one is read from the log only.
    private static final int CARRIED_BYTES_MAX = 512 * 1024;
    /// Of a response that waits for its turn, because many may wait.
    private static final int KEPT_BYTES_MAX = 16 * 1024;

    private final AtomicReference<@Nullable Frame> carried;
    private final ResponseId response;
    private final boolean small;
    private volatile long offset = JobTicket.NOT_YET;

    /// @param frame signed
    public FrameZero(Frame frame) {
        response = frame.response();
        int bytes = frame.body().length;
        carried = new AtomicReference<>(bytes <= CARRIED_BYTES_MAX ? frame : null);
        small = bytes <= KEPT_BYTES_MAX;
    }

    public ResponseId response() {
        return response;
    }

    /// True if a ticket may leave before the log has it.
    public boolean travels() {
        return carried.get() != null;
    }

    /// The log has it.
    public void appended(long at) {
        offset = at;
        if (!small) {
            carried.set(null);
        }
    }

    /// The ticket to send now. The first one carries frame 0; for a repeated one the worker reads the log.
    ///
    /// @param quietUntil offset before which nothing else of the response counts
    public JobTicket complete(JobTicket ticket, long quietUntil) {
        // Taken before the offset is read: a large one is dropped only once that is known.
        var frame = carried.getAndSet(null);
        long at = offset;
        if (ticket.resent()) {
            return at == JobTicket.NOT_YET ? ticket : ticket.again(at).readFrom(quietUntil);
        }
        var known = ticket.with(at, frame);
        return at == JobTicket.NOT_YET ? known : known.readFrom(quietUntil);
    }
}
