package dev.counterpoint.audit.ingest;

import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Assembles the reasoning of a response from the sealed frames of its log, as the owning gateway sent them. A frame
/// that does not open is counted and skipped, because the other frames remain evidence. Not thread-safe.
final class PartialTraceAssembler {
    private static final AttemptKeys NO_KEYS = new AttemptKeys(null, null);

    private final TraceRecord record;
    private final KeyRing ring;
    private final Map<Integer, Message> messages = new TreeMap<>();
    private AttemptKeys keys = NO_KEYS;
    private int unopened;
    private int tokens;

    private static final class Message {
        private final StringBuilder text = new StringBuilder();
        private String channel = "analysis";
        private @Nullable String recipient;

        void add(Delta delta) {
            if (delta.header() != null) {
                channel = delta.header().channel();
                recipient = delta.header().recipient();
            }
            text.append(delta.text());
        }
    }

    PartialTraceAssembler(TraceRecord record, KeyRing ring) {
        this.record = record;
        this.ring = ring;
    }

    /// @param encoded the next frame, in log order
    void accept(byte[] encoded) {
        try {
            var frame = Frame.decode(encoded);
            boolean opened = frame.response().equals(record.response()) && open(frame);
            unopened += opened ? 0 : 1;
        } catch (MalformedMessageException | SealException e) {
            unopened++;
        }
    }

    private boolean open(Frame frame) {
        if (frame.kind() == FrameKind.FENCE) {
            // An attempt whose key does not open must not be read with the key of the one before it.
            keys = NO_KEYS;
            if (!ring.signatures().verifies(frame)) {
                return false;
            }
            var place = new AttemptKeys.Place(record.tenant(), frame.response(), frame.attempt(), frame.nonce());
            keys = AttemptKeys.of(Fence.decode(frame.body()), place, ring);
            return keys.reasoning() != null;
        }
        if (frame.kind() != FrameKind.DELTA || frame.lane() != Lane.REASONING) {
            return false;
        }
        var delta = keys.delta(record.tenant(), frame);
        if (delta == null) {
            return false;
        }
        tokens += delta.tokens().length;
        messages.computeIfAbsent(frame.message(), _ -> new Message()).add(delta);
        return true;
    }

    int unopened() {
        return unopened;
    }

    /// The trace of the frames that opened. Only the log knows the counts of input and output tokens; they are 0
    /// here.
    Trace trace(long endedAtMillis) {
        List<Trace.Segment> segments = new ArrayList<>();
        messages.forEach((number, message) ->
                segments.add(new Trace.Segment(number, message.channel, message.recipient, message.text.toString())));
        return new Trace(End.Finish.FAILED, 0, 0, tokens, endedAtMillis, segments);
    }
}
