package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record that an owner orders when it ends an opted-in response in a worker's stead: what was reasoned
/// so far, as it stands in the log, unread. Confined to the following loop but for [#ordered].
final class OwnerTrace {
    private final boolean audited;
    private final List<byte[]> frames = new ArrayList<>();
    private long bytes;
    private OwnerEnd.@Nullable Reason reason;
    private volatile boolean ordered;

    /// @param audited whether the response is opted in; else nothing is kept
    OwnerTrace(boolean audited) {
        this.audited = audited;
    }

    /// Takes the next valid frame of the log.
    void accept(Frame frame) {
        if (!audited) {
            return;
        }
        switch (frame.kind()) {
            case FENCE -> keep(frame);
            case DELTA -> {
                if (frame.lane() == Lane.REASONING) {
                    keep(frame);
                }
            }
            case END -> frames.clear(); // the worker has appended the whole trace
            case OWNER_END -> reason = reason(frame);
            case ACCEPTED,
                    REISSUE,
                    SEALED_REASONING,
                    PROGRESS,
                    HANDOVER,
                    SUMMARY,
                    SUMMARY_END,
                    SUMMARY_ABANDONED,
                    UNKNOWN -> {}
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

    /// One frame more than fits is enough to say that some are missing.
    private void keep(Frame frame) {
        if (bytes <= TraceRecord.Partial.FRAMES_BYTES_MAX) {
            var encoded = frame.encode();
            bytes += encoded.length;
            frames.add(encoded);
        }
    }

    /// True if a record is due that the bus does not have yet.
    boolean pending() {
        return reason != null && !ordered;
    }

    /// The bus has the record. Any thread.
    void ordered() {
        ordered = true;
    }

    /// @throws IllegalStateException unless [#pending]
    TraceRecord record(ResponseId response, Accepted accepted, long nowMillis) {
        if (reason == null) {
            throw new IllegalStateException("no owner has ended this response");
        }
        return new TraceRecord(
                response,
                accepted.tenant(),
                accepted.key(),
                accepted.model(),
                accepted.acceptedAtMillis(),
                accepted.sealed().auditTerms(),
                TraceRecord.Partial.fitting(reason, nowMillis, frames));
    }
}
