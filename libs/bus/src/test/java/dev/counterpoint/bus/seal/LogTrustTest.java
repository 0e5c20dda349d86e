package dev.counterpoint.bus.seal;

import static dev.counterpoint.bus.frame.ResponseLog.Verdict.VALID;
import static dev.counterpoint.bus.frame.ResponseLog.Verdict.VOID;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What an attacker appends who may write to the bus and has no key changes nothing, for any reader.
class LogTrustTest {
    private static final List<WrittenLog> WRITTEN =
            List.of(new WrittenLog(WrittenLog.RESPONSE, 1), new WrittenLog(WrittenLog.RESPONSE, 2));

    private final WrittenLog log = new WrittenLog();

    /// The frames of one log in each format, of every kind.
    static Stream<Frame> kinds() {
        return WRITTEN.stream().flatMap(log -> log.whole().stream());
    }

    /// The log that has such a frame.
    private static WrittenLog writtenLike(Frame frame) {
        return WRITTEN.get(frame.format() - 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ServiceRole.class,
            names = {"GATEWAY", "WORKER", "SUMMARIZER"})
    void everyReaderTakesTheWholeLog(ServiceRole reader) {
        assertThat(verdicts(log.whole(), reader)).doesNotContain(VOID);
        assertThat(verdicts(new WrittenLog(WrittenLog.RESPONSE, 2).whole(), reader))
                .doesNotContain(VOID);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void h4AFrameWithAnyFieldAlteredIsVoid(Frame frame) {
        var unknown =
                UnknownFieldSet.newBuilder().mergeVarintField(900, 1).build().toByteArray();
        assertThat(genuine(writtenLike(frame), frame)).isTrue();
        for (var altered : List.of(
                new Frame(
                        WrittenLog.OTHER,
                        frame.attempt(),
                        frame.nonce(),
                        frame.seq(),
                        frame.lane(),
                        frame.kind(),
                        frame.message(),
                        frame.body(),
                        frame.unknown(),
                        frame.proof(),
                        frame.format()),
                with(frame, new int[] {1, 0, 0}, frame.body()),
                with(frame, new int[] {0, 1, 0}, frame.body()),
                with(frame, new int[] {0, 0, 1}, frame.body()),
                with(frame, new int[3], new byte[] {8, 2}),
                Frame.decode(joined(frame.encode(), unknown)),
                frame.in(3 - frame.format()).withProof(frame.proof()),
                frame.withProof(new byte[0]),
                frame.withProof(flipped(frame.proof())))) {
            assertThat(genuine(writtenLike(frame), altered)).as("%s", altered).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void h4AFrameOfAnotherKindUnderTheSameProofIsVoid(Frame frame) {
        for (var kind : FrameKind.values()) {
            var altered = new Frame(
                    frame.response(),
                    frame.attempt(),
                    frame.nonce(),
                    frame.seq(),
                    frame.lane(),
                    kind,
                    frame.message(),
                    frame.body(),
                    frame.unknown(),
                    frame.proof(),
                    frame.format());
            assertThat(genuine(writtenLike(frame), altered)).as("%s", altered).isEqualTo(kind == frame.kind());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void h4ADecisionOfARoleThatMayNotTakeItIsVoid(Frame frame) {
        var mayDecide = SignedRecord.of(frame.kind());
        if (mayDecide.isEmpty()) {
            return;
        }
        for (var role : ServiceRole.values()) {
            var signed = TestKeys.of(role).signatures().sign(frame);
            assertThat(genuine(writtenLike(frame), signed))
                    .as("%s by %s", frame, role)
                    .isEqualTo(role == mayDecide.get().signer());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void h4TheFramesOfOneResponseAreVoidInTheLogOfAnother(Frame frame) {
        var other = new WrittenLog(WrittenLog.OTHER, frame.format());

        assertThat(genuine(other, frame)).isFalse();
    }

    @Test
    void c1AReissueThatCannotBeReadOpensNoAttemptForAnybody() {
        // Given
        var malformed =
                TestKeys.signed(Frame.decision(WrittenLog.RESPONSE, 2, FrameKind.REISSUE, new byte[] {1, 2, 3}));
        // When
        var verdicts = verdicts(List.of(log.accepted(), log.fence(), malformed), ServiceRole.WORKER);
        // Then
        assertThat(verdicts).containsExactly(VALID, VALID, VOID);
    }

    @Test
    void h4AMalformedFenceThatNobodySignedTakesNoAttempt() {
        // Given
        var before = log.accepted();
        var forged = Frame.sign(WrittenLog.RESPONSE, 1, 66, FrameKind.FENCE).withBody(new byte[] {1, 2, 3});
        // When
        var verdicts = verdicts(List.of(before, forged, log.fence()), ServiceRole.GATEWAY);
        // Then
        assertThat(verdicts).containsExactly(VALID, VOID, VALID);
    }

    @Test
    void h4AFenceThatAWorkerSignedAndNobodyCanReadIsVoid() {
        var unreadable = TestKeys.signed(
                Frame.sign(WrittenLog.RESPONSE, 1, 66, FrameKind.FENCE).withBody(new byte[] {1, 2, 3}));

        assertThat(verdicts(List.of(log.accepted(), unreadable, log.fence()), ServiceRole.WORKER))
                .containsExactly(VALID, VOID, VALID);
    }

    @Test
    void h4AFrameUnderTheHoldersNumberMakesNoGap() {
        // Given what only needs numbers that stand in the log in clear
        var accepted = log.accepted();
        var fence = log.fence();
        var delta = log.delta(Lane.REASONING);
        var injected = new Frame(
                WrittenLog.RESPONSE,
                1,
                WrittenLog.NONCE,
                9,
                Lane.REASONING,
                FrameKind.DELTA,
                0,
                new byte[40],
                UnknownFields.NONE);
        var handover = Frame.sign(WrittenLog.RESPONSE, 1, WrittenLog.NONCE, FrameKind.HANDOVER);
        // When
        var verdicts = verdicts(
                List.of(accepted, fence, injected, handover, delta, delta, injected, log.delta(Lane.VISIBLE)),
                ServiceRole.GATEWAY);
        // Then the copy of a genuine frame is void too
        assertThat(verdicts).containsExactly(VALID, VALID, VOID, VOID, VALID, VOID, VOID, VALID);
    }

    @Test
    void h4OnlyAGatewayEndsAResponseInAWorkersStead() {
        var forged = Frame.decision(WrittenLog.RESPONSE, 1, FrameKind.OWNER_END, new byte[] {8, 2});
        var reader = reader(log, ServiceRole.GATEWAY);

        assertThat(reader.accept(forged)).isEqualTo(VOID);
        assertThat(reader.ended()).isFalse();
    }

    @Test
    void aLogBeginsOnlyWithAFrameZeroThatAGatewaySigned() {
        var keys = TestKeys.of(ServiceRole.WORKER);
        var accepted = log.accepted();

        assertThat(LogTrust.of(accepted, keys)).isNotNull();
        assertThat(LogTrust.of(accepted.withBody(accepted.body()), keys)).isNull();
        assertThat(LogTrust.of(log.fence(), keys)).isNull();
        assertThat(LogTrust.of(TestKeys.signed(accepted.withBody(new byte[] {1})), keys))
                .isNull();
    }

    @Test
    void aSecondFrameZeroIsVoid() {
        var accepted = log.accepted();

        assertThat(verdicts(List.of(accepted, accepted, log.fence()), ServiceRole.WORKER))
                .containsExactly(VALID, VOID, VALID);
    }

    @Test
    void h4ASecondFrameZeroIsCountedAsACopyOrAsForged() {
        // Given
        var refusals = new ArrayList<RefusalListener.Reason>();
        var keys = KeyRing.load(TestKeys.FOLDER, ServiceRole.GATEWAY, (_, reason) -> refusals.add(reason));
        var accepted = log.accepted();
        var trust = Objects.requireNonNull(LogTrust.of(accepted, keys));
        trust.genuine(accepted);
        // When
        trust.genuine(accepted);
        trust.genuine(accepted.withProof(flipped(accepted.proof())));
        // Then
        assertThat(refusals).containsExactly(RefusalListener.Reason.OLDER, RefusalListener.Reason.SIGNATURE);
    }

    /// Whether the frame is genuine in a log that has been read to where all of its keys are known.
    private static boolean genuine(WrittenLog log, Frame frame) {
        var accepted = log.accepted();
        var trust = Objects.requireNonNull(LogTrust.of(accepted, TestKeys.of(ServiceRole.GATEWAY)));
        if (frame.kind() == FrameKind.ACCEPTED) {
            return trust.genuine(frame);
        }
        trust.genuine(log.fence());
        return trust.genuine(frame);
    }

    private static ResponseLog reader(WrittenLog log, ServiceRole role) {
        var accepted = log.accepted();
        var reader = new ResponseLog(Objects.requireNonNull(LogTrust.of(accepted, TestKeys.of(role))));
        reader.accept(accepted);
        return reader;
    }

    private static List<ResponseLog.Verdict> verdicts(List<Frame> frames, ServiceRole role) {
        var reader = new ResponseLog(Objects.requireNonNull(LogTrust.of(frames.getFirst(), TestKeys.of(role))));
        var verdicts = new ArrayList<ResponseLog.Verdict>();
        frames.forEach(frame -> verdicts.add(reader.accept(frame)));
        return verdicts;
    }

    private static Frame with(Frame frame, int[] numbers, byte[] body) {
        return new Frame(
                frame.response(),
                frame.attempt() + numbers[0],
                frame.nonce(),
                frame.seq() + numbers[1],
                frame.lane(),
                frame.kind(),
                frame.message() + numbers[2],
                body,
                frame.unknown(),
                frame.proof(),
                frame.format());
    }

    private static byte[] flipped(byte[] proof) {
        var flipped = proof.clone();
        flipped[flipped.length - 1] ^= 1;
        return flipped;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        var all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }
}
