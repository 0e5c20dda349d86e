package dev.counterpoint.bus.seal;

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
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The log of one response as its gateway, one worker and a summarizer write it, with every kind of frame.
final class WrittenLog {
    static final ResponseId RESPONSE = new ResponseId(1_000, 3, 0xCAFE, 0xBABE);
    static final ResponseId OTHER = new ResponseId(1_000, 3, 0xCAFE, 0xBABF);
    static final String TENANT = "tenant-1";
    static final long NONCE = 0xA;
    private static final byte[] NOTHING = new byte[0];

    private final ResponseId response;
    private final int format;
    private final AttemptKeys keys = AttemptKeys.create();
    private final Frame fence;
    private int seq;

    WrittenLog() {
        this(RESPONSE, 1);
    }

    WrittenLog(ResponseId response, int format) {
        this.response = response;
        this.format = format;
        var place = new AttemptKeys.Place(TENANT, response, 1, NONCE);
        var body = keys.fence(
                "worker-1", place, Set.of(), TestKeys.of(ServiceRole.WORKER).sealer(format));
        fence = TestKeys.signed(
                Frame.sign(response, 1, NONCE, FrameKind.FENCE).in(format).withBody(body.encode()));
    }

    Frame accepted() {
        var accepted = new Accepted(
                TENANT,
                "key",
                "model",
                1_000,
                60_000,
                Set.of(),
                false,
                false,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(NOTHING, NOTHING, new byte[] {1}, NOTHING),
                "gateway-1",
                format);
        return TestKeys.signed(Frame.decision(response, 1, FrameKind.ACCEPTED, accepted.encode())
                .in(format));
    }

    Frame fence() {
        return fence;
    }

    Frame delta(Lane lane) {
        var delta = new Delta(null, new int[] {seq}, "text " + seq, false, List.of());
        return sealed(lane, FrameKind.DELTA, delta.encode());
    }

    /// All that a log can hold, in an order in which all of it counts.
    List<Frame> whole() {
        return List.of(
                accepted(),
                fence,
                keys.tagged(Frame.sign(response, 1, NONCE, FrameKind.PROGRESS).in(format)),
                delta(Lane.REASONING),
                delta(Lane.REASONING),
                sealed(Lane.VISIBLE, FrameKind.SEALED_REASONING, "blob".getBytes(StandardCharsets.UTF_8)),
                delta(Lane.VISIBLE),
                summary(0, FrameKind.SUMMARY, new SummarySentence(true, "It thought.", SummaryTier.DESCRIBED).encode()),
                summary(1, FrameKind.SUMMARY_END, new SummaryEnd(false).encode()),
                TestKeys.signed(Frame.decision(response, 1, FrameKind.SUMMARY_ABANDONED, NOTHING)),
                keys.tagged(Frame.sign(response, 1, NONCE, FrameKind.HANDOVER).in(format)),
                TestKeys.signed(Frame.decision(response, 2, FrameKind.REISSUE, NOTHING)),
                ending());
    }

    /// The worker's own.
    Frame ending() {
        return sealed(Lane.VISIBLE, FrameKind.END, new End(End.Finish.STOP, 1, 0, seq, 1, 1).encode());
    }

    Frame ownerEnd() {
        var reason = new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode();
        return TestKeys.signed(Frame.decision(response, 1, FrameKind.OWNER_END, reason));
    }

    private Frame sealed(Lane lane, FrameKind kind, byte[] body) {
        var bare = new Frame(response, 1, NONCE, seq, lane, kind, 0, NOTHING, UnknownFields.NONE).in(format);
        seq += kind == FrameKind.END ? 0 : 1;
        var key = Objects.requireNonNull(keys.of(lane));
        return keys.tagged(bare.withBody(key.seal(body, TENANT, bare)));
    }

    private Frame summary(int place, FrameKind kind, byte[] body) {
        var bare = new Frame(response, 1, NONCE, place, Lane.SUMMARY, kind, 0, NOTHING, UnknownFields.NONE).in(format);
        var sealed = bare.withBody(Objects.requireNonNull(keys.visible()).seal(body, TENANT, bare));
        return kind == FrameKind.SUMMARY ? keys.tagged(sealed) : TestKeys.signed(sealed);
    }
}
