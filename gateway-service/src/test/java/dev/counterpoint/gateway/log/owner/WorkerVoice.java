package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LaneKey;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Speaks as the worker of one attempt: frames as it would append them, sealed and counted.
public final class WorkerVoice {
    public static final ResponseId RESPONSE = new ResponseId(1_000, 3, 0xCAFE, 0xBABE);
    public static final String TENANT = "tenant-1";
    public static final String MODEL = "gpt-oss-20b";
    public static final long DEADLINE = 600_000;

    private final ResponseId response;
    private final String tenant;
    private final int attempt;
    private final long nonce;
    private final AttemptKeys keys = AttemptKeys.create();
    private int seq;

    public WorkerVoice(int attempt, long nonce) {
        this(RESPONSE, attempt, nonce);
    }

    public WorkerVoice(ResponseId response, int attempt, long nonce) {
        this(response, TENANT, attempt, nonce);
    }

    /// A worker with an odd nonce writes in the second format.
    public WorkerVoice(ResponseId response, String tenant, int attempt, long nonce) {
        this.response = response;
        this.tenant = tenant;
        this.attempt = attempt;
        this.nonce = nonce;
    }

    /// What the gateway says first of a stored response.
    public static Accepted accepted(ServiceRole... rawReaders) {
        return accepted(false, true, rawReaders);
    }

    public static Accepted accepted(boolean background, boolean stored, ServiceRole... rawReaders) {
        return accepted(background, stored, new byte[0], rawReaders);
    }

    /// A response whose caller wants a summary.
    public static Accepted acceptedWithSummary(ServiceRole... rawReaders) {
        return accepted(false, true, new byte[] {1}, rawReaders);
    }

    /// A response whose jobs stand in the queue of a band.
    public static Accepted accepted(Topic.Band band) {
        var usual = accepted();
        return new Accepted(
                usual.tenant(),
                usual.key(),
                usual.model(),
                usual.acceptedAtMillis(),
                usual.deadlineMillis(),
                usual.rawReaders(),
                usual.background(),
                usual.stored(),
                band,
                usual.sealed(),
                usual.gateway(),
                1);
    }

    private static Accepted accepted(boolean background, boolean stored, byte[] summaryJob, ServiceRole... rawReaders) {
        var nothing = new byte[0];
        return new Accepted(
                TENANT,
                "key-1",
                MODEL,
                1_000,
                DEADLINE,
                Set.of(rawReaders),
                background,
                stored,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(nothing, nothing, summaryJob, nothing),
                "",
                1);
    }

    public static Frame frame(Accepted accepted) {
        return frame(RESPONSE, accepted);
    }

    public static Frame frame(ResponseId response, Accepted accepted) {
        return TestKeys.signed(Frame.decision(response, 1, FrameKind.ACCEPTED, accepted.encode()));
    }

    public static Frame reissue(int attempt) {
        return TestKeys.signed(Frame.decision(RESPONSE, attempt, FrameKind.REISSUE, new byte[0]));
    }

    public static Frame ownerEnd(OwnerEnd.Reason reason) {
        return TestKeys.signed(Frame.decision(RESPONSE, 1, FrameKind.OWNER_END, new OwnerEnd(reason).encode()));
    }

    public static Frame summaryAbandoned() {
        return TestKeys.signed(Frame.decision(RESPONSE, 1, FrameKind.SUMMARY_ABANDONED, new byte[0]));
    }

    /// Takes the attempt.
    public Frame fence(KeyRing ring, ServiceRole... rawReaders) {
        var place = new AttemptKeys.Place(tenant, response, attempt, nonce);
        var fence = keys.fence(worker(), place, Set.of(rawReaders), ring.sealer(format()));
        return ring.signatures().sign(plain(FrameKind.FENCE, fence.encode()));
    }

    /// Incarnation of the worker that speaks.
    public String worker() {
        return "worker-" + nonce;
    }

    public Frame says(int message, String text) {
        return sealed(Lane.VISIBLE, FrameKind.DELTA, message, delta(text).encode());
    }

    /// The first words of an answer.
    public Frame opens(int message, String text) {
        var delta = new Delta(new Delta.Header("final", null, null), new int[] {1}, text, false, List.of());
        return sealed(Lane.VISIBLE, FrameKind.DELTA, message, delta.encode());
    }

    public Frame thinks(int message, String text) {
        return sealed(Lane.REASONING, FrameKind.DELTA, message, delta(text).encode());
    }

    public static Delta delta(String text) {
        return new Delta(null, new int[] {text.length()}, text, false, List.of());
    }

    public Frame seals(String blob) {
        return sealed(Lane.VISIBLE, FrameKind.SEALED_REASONING, 0, blob.getBytes(StandardCharsets.UTF_8));
    }

    /// A summarizer's frame under this worker's key.
    public Frame sumsUp(int place, int message, String text) {
        return summary(
                FrameKind.SUMMARY,
                place,
                message,
                new SummarySentence(place == 0, text, SummaryTier.DESCRIBED).encode());
    }

    public Frame summedUp(int place, int message) {
        return summary(FrameKind.SUMMARY_END, place, message, new SummaryEnd(false).encode());
    }

    /// Nothing of the reasoning up to this message could be shown.
    public Frame withholds(int place, int message) {
        return summary(FrameKind.SUMMARY_END, place, message, new SummaryEnd(true).encode());
    }

    private Frame summary(FrameKind kind, int place, int message, byte[] body) {
        var empty = new Frame(
                        response, attempt, nonce, place, Lane.SUMMARY, kind, message, new byte[0], UnknownFields.NONE)
                .in(format());
        var sealed = empty.withBody(key(Lane.SUMMARY).seal(body, tenant, empty));
        return kind == FrameKind.SUMMARY ? keys.tagged(sealed) : TestKeys.signed(sealed);
    }

    public Frame ends(End end) {
        return sealed(Lane.VISIBLE, FrameKind.END, 0, end.encode());
    }

    public Frame progress() {
        return keys.tagged(plain(FrameKind.PROGRESS, new byte[0]));
    }

    public Frame handover() {
        return keys.tagged(plain(FrameKind.HANDOVER, new byte[0]));
    }

    /// A frame that was lost on its way.
    public WorkerVoice loses() {
        seq++;
        return this;
    }

    /// A counted frame with a body that is none of ours, or whatever the caller wants it to be.
    public Frame sealed(Lane lane, FrameKind kind, int message, byte[] body) {
        var empty = new Frame(response, attempt, nonce, seq, lane, kind, message, new byte[0], UnknownFields.NONE)
                .in(format());
        if (kind != FrameKind.END) {
            seq++;
        }
        return keys.tagged(empty.withBody(key(lane).seal(body, tenant, empty)));
    }

    /// A frame with another body, which this worker vouches for all the same.
    public Frame with(Frame frame, byte[] body) {
        return keys.tagged(frame.withBody(body));
    }

    /// A frame that counts and cannot be opened.
    public Frame garbled(Frame frame) {
        return with(frame, new byte[40]);
    }

    private LaneKey key(Lane lane) {
        return Objects.requireNonNull(keys.of(lane));
    }

    private Frame plain(FrameKind kind, byte[] body) {
        return new Frame(response, attempt, nonce, 0, Lane.CONTROL, kind, 0, body, UnknownFields.NONE).in(format());
    }

    private int format() {
        return nonce % 2 == 0 ? 1 : 2;
    }

    /// The texts that outputs say, in order; `null` for one without text.
    public static @Nullable String text(ModelOutput output) {
        return switch (output) {
            case ModelOutput.Passage passage -> passage.delta().text();
            case ModelOutput.SealedReasoning sealed -> sealed.encryptedContent();
            case ModelOutput.SummarySentence sentence -> sentence.text();
            case ModelOutput.Hidden _,
                    ModelOutput.SummaryEnded _,
                    ModelOutput.SummaryAbandoned _,
                    ModelOutput.Steered _,
                    ModelOutput.Finished _,
                    ModelOutput.Stopped _ -> null;
        };
    }
}
