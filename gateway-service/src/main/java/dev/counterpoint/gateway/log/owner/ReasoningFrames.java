package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.seal.LogTrust;
import java.util.ArrayList;
import java.util.List;

/// The frames of a log that say what was reasoned, sealed as they are: fences, which hold the keys, and the reasoning
/// lane. Not thread-safe.
final class ReasoningFrames {
    private final ResponseLog log;
    private final List<byte[]> frames = new ArrayList<>();
    private long bytes;

    /// @param trust that verified frame 0
    ReasoningFrames(LogTrust trust) {
        log = new ResponseLog(trust);
    }

    /// Takes the next frame of the log, from frame 0 on.
    void accept(Frame frame) {
        if (log.accept(frame) == ResponseLog.Verdict.VOID) {
            return;
        }
        switch (frame.kind()) {
            case FENCE -> keep(frame);
            case DELTA -> {
                if (frame.lane() == Lane.REASONING) {
                    keep(frame);
                }
            }
            case ACCEPTED, REISSUE, SEALED_REASONING, PROGRESS, HANDOVER, END, OWNER_END -> {}
            case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, STEER, UNKNOWN -> {}
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

    List<byte[]> frames() {
        return List.copyOf(frames);
    }
}
