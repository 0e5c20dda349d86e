package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The record that an owner orders when it ends an opted-in response in a worker's stead. What was reasoned so far
/// stands in the log, so nothing of it is kept here: whoever orders the record reads the log again (`OwnerTraces`).
/// Confined to the following loop, but for the orders.
public final class OwnerTrace {
    private final boolean audited;
    private final AtomicBoolean reading = new AtomicBoolean();
    private OwnerEnd.@Nullable Reason reason;
    private long endOffset;
    private volatile boolean ordered;

    /// @param audited whether the response is opted in; else no record is due
    public OwnerTrace(boolean audited) {
        this.audited = audited;
    }

    /// Takes the next valid frame of the log.
    void accept(Frame frame, long offset) {
        if (audited && frame.kind() == FrameKind.OWNER_END) {
            reason = reason(frame);
            endOffset = offset;
        }
    }

    /// Null for an end that cannot be read, which fails the response and needs no record.
    private static OwnerEnd.@Nullable Reason reason(Frame end) {
        try {
            return OwnerEnd.decode(end.body()).reason();
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    /// True if a record is due that the bus does not have yet.
    public boolean pending() {
        return reason != null && !ordered;
    }

    /// Offset of the owner's end.
    public long endOffset() {
        return endOffset;
    }

    /// Begins to read the log for the record, unless somebody does already.
    public boolean beginReading() {
        return reading.compareAndSet(false, true);
    }

    /// The log was read, or cannot be read now. Any thread.
    public void endReading() {
        reading.set(false);
    }

    /// The bus has the record. Any thread.
    public void ordered() {
        ordered = true;
    }

    /// Any thread, once a record is due.
    ///
    /// @param frames of the reasoning, as they stand in the log
    /// @throws IllegalStateException while none is due
    public TraceRecord record(ResponseId response, Accepted accepted, long nowMillis, List<byte[]> frames) {
        var why = reason;
        if (why == null) {
            throw new IllegalStateException("no owner has ended this response");
        }
        return new TraceRecord(
                response,
                accepted.tenant(),
                accepted.key(),
                accepted.model(),
                accepted.acceptedAtMillis(),
                accepted.sealed().auditTerms(),
                TraceRecord.Partial.fitting(why, nowMillis, frames));
    }
}
