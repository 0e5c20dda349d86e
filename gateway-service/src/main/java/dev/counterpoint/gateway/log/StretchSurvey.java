package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The responses that begin in a stretch of a partition, and which of them have ended: by kinds, signatures and tags
/// alone, so nothing of what they say is opened. Not thread-safe.
final class StretchSurvey {
    private final KeyRing keys;
    private final Map<ResponseId, Begun> responses = new LinkedHashMap<>();

    StretchSurvey(KeyRing keys) {
        this.keys = keys;
    }

    private static final class Begun {
        private final long offset;
        private final boolean stored;
        private final boolean audited;
        private final ResponseLog log;
        private boolean endedByOwner;

        private Begun(long offset, Accepted accepted, ResponseLog log) {
            this.offset = offset;
            this.stored = accepted.stored();
            this.audited = accepted.audited();
            this.log = log;
        }

        private void accept(Frame frame) {
            boolean counts = log.accept(frame) == ResponseLog.Verdict.VALID;
            endedByOwner |= counts && frame.kind() == FrameKind.OWNER_END;
        }

        /// The record of an opted-in response that an owner ended is the owner's to order.
        private boolean ended() {
            return log.ended() && !(audited && endedByOwner);
        }
    }

    /// Takes the next frame of the stretch.
    void accept(Frame frame, long offset) {
        if (frame.kind() == FrameKind.ACCEPTED && !responses.containsKey(frame.response())) {
            var trust = LogTrust.of(frame, keys);
            if (trust != null) {
                responses.put(
                        frame.response(), new Begun(offset, Accepted.decode(frame.body()), new ResponseLog(trust)));
            }
        }
        var response = responses.get(frame.response());
        if (response != null) {
            response.accept(frame);
        }
    }

    /// Responses that have ended, and are done if their rows say so.
    List<ResponseId> endedWithRow() {
        return responses.entrySet().stream()
                .filter(one -> one.getValue().ended() && one.getValue().stored)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// The part of the stretch that its new owner has to follow.
    ///
    /// @param onRecord those of [#endedWithRow] whose rows say so
    FollowedPartition.Stretch left(FollowedPartition.Stretch whole, Set<ResponseId> onRecord) {
        var done = new HashSet<ResponseId>();
        long from = whole.end();
        for (var one : responses.entrySet()) {
            var response = one.getValue();
            if (response.ended() && (!response.stored || onRecord.contains(one.getKey()))) {
                done.add(one.getKey());
            } else {
                from = Math.min(from, response.offset);
            }
        }
        return new FollowedPartition.Stretch(from, whole.end(), done);
    }
}
