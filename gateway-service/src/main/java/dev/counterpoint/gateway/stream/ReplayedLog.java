package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.KeyRing;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the frames of one response say to whom it belongs, in the order in which it is said: exactly what the following
/// loop of its owner tells. Not thread-safe.
final class ReplayedLog {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayedLog.class);

    private final ResponseReader reader;
    private final SummaryGate gate;

    ReplayedLog(Accepted accepted, KeyRing keys) {
        reader = new ResponseReader(accepted, keys);
        gate = new SummaryGate(accepted.summaryDue());
    }

    /// Takes the next frame of the log, frame 0 included.
    List<ModelOutput> accept(Frame frame) {
        try {
            var output = reader.accept(frame);
            return output == null ? List.of() : gate.accept(output);
        } catch (RuntimeException e) {
            // What a frame held may stand in the message.
            LOG.error(
                    "frame cannot be read responseId={} kind={} cause={}",
                    frame.response(),
                    frame.kind(),
                    e.getClass().getSimpleName());
            return reader.ended() ? gate.accept(ResponseReader.failed()) : List.of();
        }
    }
}
