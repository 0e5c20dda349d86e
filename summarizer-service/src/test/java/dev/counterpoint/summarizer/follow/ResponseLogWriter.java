package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes the log of one response as its gateway and its workers do.
final class ResponseLogWriter {
    static final String TENANT = "tenant-1";
    private static final byte[] EMPTY = new byte[0];

    final ResponseId id;
    final long deadlineMillis;
    private final Consumer<Frame> log;
    /// Format that frame 0 names. All other frames are written in format 1; readers accept both.
    int format = 1;

    ResponseLogWriter(ResponseId id, Consumer<Frame> log) {
        this.id = id;
        this.log = log;
        deadlineMillis = id.acceptedAtMillis() + 60_000;
    }

    ResponseLogWriter accepted() {
        var job = new SummaryJob(SummaryJob.Detail.AUTO, List.of(), "");
        return accepted(TestKeys.of(ServiceRole.WORKER)
                .sealFor(ServiceRole.SUMMARIZER, job.encode(), Accepted.summaryContext(TENANT, id)));
    }

    ResponseLogWriter accepted(byte[] summaryJob) {
        decide(Frame.decision(id, 1, FrameKind.ACCEPTED, terms(summaryJob).encode()));
        return this;
    }

    Accepted terms(byte[] summaryJob) {
        return new Accepted(
                TENANT,
                "key",
                "model",
                id.acceptedAtMillis(),
                deadlineMillis,
                Set.of(),
                false,
                false,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(EMPTY, EMPTY, summaryJob, EMPTY),
                "",
                format);
    }

    Holder fence(int attempt, long nonce) {
        var holder = new Holder(attempt, nonce, AttemptKeys.create());
        var place = new AttemptKeys.Place(TENANT, id, attempt, nonce);
        var fence = holder.keys.fence("worker-" + nonce, place, Set.of(), TestKeys.of(ServiceRole.WORKER));
        decide(Frame.sign(id, attempt, nonce, FrameKind.FENCE).withBody(fence.encode()));
        return holder;
    }

    void reissue(int attempt) {
        decide(Frame.decision(id, attempt, FrameKind.REISSUE, EMPTY));
    }

    void ownerEnd() {
        var body = new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode();
        decide(Frame.decision(id, 1, FrameKind.OWNER_END, body));
    }

    void abandoned() {
        decide(Frame.decision(id, 1, FrameKind.SUMMARY_ABANDONED, EMPTY));
    }

    private void decide(Frame frame) {
        log.accept(TestKeys.signed(frame));
    }

    /// A worker that holds the response, or believes so.
    final class Holder {
        final AttemptKeys keys;
        private final int attempt;
        private final long nonce;
        private int seq;

        Holder(int attempt, long nonce, AttemptKeys keys) {
            this.attempt = attempt;
            this.nonce = nonce;
            this.keys = keys;
        }

        /// Begins an analysis message.
        Holder thinks(int message, String text) {
            return delta(Lane.REASONING, message, says(header("analysis", null), text, false));
        }

        /// Goes on with a message of the reasoning lane.
        Holder on(int message, String text) {
            return delta(Lane.REASONING, message, says(null, text, false));
        }

        Holder close(int message) {
            return delta(Lane.REASONING, message, says(null, "", true));
        }

        /// Begins the call of a tool that nobody declared.
        Holder callsHidden(int message, String text) {
            return delta(Lane.REASONING, message, says(header("commentary", "browser.search"), text, false));
        }

        Holder answers(int message, String text) {
            return delta(Lane.VISIBLE, message, says(header("final", null), text, false));
        }

        Holder loses() {
            seq++;
            return this;
        }

        Holder delta(Lane lane, int message, Delta delta) {
            var bare = new Frame(id, attempt, nonce, seq++, lane, FrameKind.DELTA, message, EMPTY, UnknownFields.NONE);
            var key = keys.of(lane);
            if (key == null) {
                throw new IllegalStateException("no key to " + lane);
            }
            log.accept(keys.tagged(bare.withBody(key.seal(delta.encode(), TENANT, bare))));
            return this;
        }

        void end() {
            var bare = new Frame(id, attempt, nonce, seq, Lane.VISIBLE, FrameKind.END, 0, EMPTY, UnknownFields.NONE);
            var body = new End(End.Finish.STOP, 1, 0, 1, 1, 1).encode();
            var key = keys.visible();
            if (key == null) {
                throw new IllegalStateException("no key");
            }
            log.accept(keys.tagged(bare.withBody(key.seal(body, TENANT, bare))));
        }

        /// A frame of a summary, by whoever has this worker's visible key.
        void summary(int place, FrameKind kind, int message, byte[] body) {
            var bare = new Frame(id, attempt, nonce, place, Lane.SUMMARY, kind, message, EMPTY, UnknownFields.NONE);
            var key = keys.visible();
            if (key == null) {
                throw new IllegalStateException("no key");
            }
            var sealed = bare.withBody(key.seal(body, TENANT, bare));
            log.accept(kind == FrameKind.SUMMARY ? keys.tagged(sealed) : TestKeys.signed(sealed));
        }
    }

    static Delta says(Delta.@Nullable Header header, String text, boolean closed) {
        return new Delta(header, new int[] {1}, text, closed, List.of());
    }

    static Delta.Header header(String channel, @Nullable String recipient) {
        return new Delta.Header(channel, recipient, null);
    }
}
