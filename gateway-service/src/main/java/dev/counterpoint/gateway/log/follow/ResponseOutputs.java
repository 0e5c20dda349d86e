package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The outputs that the frames of one response make, in the order in which every reader gets them. The following loop
/// and the replays share this class, so both tell the same. Not thread-safe.
public final class ResponseOutputs {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseOutputs.class);

    private final ResponseReader reader;
    private final SummaryGate gate;

    public ResponseOutputs(Accepted accepted, LogTrust trust) {
        reader = new ResponseReader(accepted, trust);
        gate = new SummaryGate(accepted.summaryDue());
    }

    /// Takes the next frame of the log, frame 0 included.
    public List<ModelOutput> accept(Frame frame) {
        return reader.counts(frame) ? read(frame) : List.of();
    }

    /// Second half of [#accept], for a frame that counts. One that cannot be read ends its response: here where it
    /// was the end itself, else by the owner's rules.
    List<ModelOutput> read(Frame frame) {
        try {
            var output = reader.read(frame);
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

    ResponseReader reader() {
        return reader;
    }

    /// True if the answer waits for a summary.
    boolean awaitsSummary() {
        return gate.closed();
    }
}
