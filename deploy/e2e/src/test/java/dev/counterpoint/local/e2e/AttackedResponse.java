package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import java.util.List;
import java.util.Optional;

/// A response under way, as whoever reads the bus sees it.
///
/// @param log its frames so far: accepted, fenced, and some tokens
record AttackedResponse(ResponseId id, List<Frame> log) {
    /// Empty until a worker generates it, and once it has ended.
    static Optional<AttackedResponse> of(ResponseId id, BusTap bus) {
        var response = new AttackedResponse(id, bus.log(id));
        boolean generates = response.has(FrameKind.DELTA);
        boolean ended = response.has(FrameKind.END) || response.has(FrameKind.OWNER_END);
        return generates && !ended ? Optional.of(response) : Optional.empty();
    }

    private boolean has(FrameKind kind) {
        return log.stream().anyMatch(frame -> frame.kind() == kind);
    }

    Frame first(FrameKind kind) {
        return log.stream().filter(frame -> frame.kind() == kind).findFirst().orElseThrow();
    }

    Accepted accepted() {
        return Accepted.decode(first(FrameKind.ACCEPTED).body());
    }

    /// Of the worker that holds it.
    long nonce() {
        return first(FrameKind.FENCE).nonce();
    }

    /// The number of the holder's next frame, or of one that it sends soon.
    int next() {
        return (int) log.stream()
                .filter(frame -> frame.kind() == FrameKind.DELTA || frame.kind() == FrameKind.SEALED_REASONING)
                .count();
    }
}
