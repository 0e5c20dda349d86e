package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.LogModel.Event;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events of a [LogModel] as the services write them: signed, sealed and tagged with real keys. The same event is
/// the same record again. Not thread-safe.
final class SealedEvents {
    /// `position` of what an intruder wrote.
    static final int FORGED = 9;
    /// Nonce of an intruder's fences.
    static final int INTRUDER = 15;

    private static final byte[] NOTHING = new byte[0];

    private final ResponseId response;
    private final String tenant;
    private final KeyRing intruder;
    private final Map<Integer, AttemptKeys> keys = new HashMap<>();
    private final Map<Integer, Fence> fences = new HashMap<>();
    private final Map<Writing, Frame> written = new HashMap<>();
    private final Frame accepted;

    /// @param forger null for who may write it
    private record Writing(
            char event, int attempt, @Nullable KeyRing forger) {}

    /// @param intruder the keys that [#FORGED] events are written with
    SealedEvents(ResponseId response, String tenant, KeyRing intruder) {
        this.response = response;
        this.tenant = tenant;
        this.intruder = intruder;
        var sealed = new Accepted.SealedParts(NOTHING, NOTHING, new byte[] {1}, NOTHING);
        var body = new Accepted(
                tenant,
                "key",
                "model",
                1_000,
                60_000,
                Set.of(),
                false,
                false,
                Topic.Band.NORMAL,
                sealed,
                "gateway-1",
                1);
        accepted = TestKeys.signed(Frame.decision(response, 1, FrameKind.ACCEPTED, body.encode()));
    }

    ResponseId response() {
        return response;
    }

    String tenant() {
        return tenant;
    }

    /// The records of a log, frame 0 first.
    List<Frame> of(String log) {
        var frames = new ArrayList<>(List.of(accepted));
        Map<Integer, Integer> attempts = new HashMap<>();
        for (int i = 0; i < log.length(); i++) {
            var event = Event.of(log.charAt(i));
            if (event.kind() == FrameKind.FENCE) {
                attempts.putIfAbsent(event.nonce(), event.number());
            }
            frames.add(frame(event, attempts.getOrDefault(event.nonce(), 1)));
        }
        return frames;
    }

    /// @param attempt that the event's writer has fenced
    Frame frame(Event event, int attempt) {
        return written(event, attempt, event.position() == FORGED ? intruder : null);
    }

    /// The best that somebody with these keys can make of an event.
    Frame forged(Event event, int attempt, KeyRing forger) {
        return written(event, attempt, forger);
    }

    private Frame written(Event event, int attempt, @Nullable KeyRing forger) {
        return written.computeIfAbsent(new Writing(event.code(), attempt, forger), _ -> write(event, attempt, forger));
    }

    private Frame write(Event event, int attempt, @Nullable KeyRing forger) {
        return switch (event.kind()) {
            case OWNER_END -> {
                var body = new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode();
                yield signed(Frame.decision(response, event.number(), event.kind(), body), forger);
            }
            case REISSUE, SUMMARY_ABANDONED, ACCEPTED, STEER ->
                signed(Frame.decision(response, event.number(), event.kind(), NOTHING), forger);
            case FENCE -> {
                var body = fence(event.nonce(), event.number()).encode();
                var fence = Frame.sign(response, event.number(), event.nonce(), FrameKind.FENCE);
                yield signed(fence.withBody(body), forger);
            }
            case DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, SUMMARY, SUMMARY_END ->
                spoken(event, attempt, forger);
            case UNKNOWN -> throw new IllegalArgumentException();
        };
    }

    private Fence fence(int nonce, int attempt) {
        return fences.computeIfAbsent(
                nonce << 4 | attempt,
                _ -> keys(nonce, attempt)
                        .fence("worker", place(nonce, attempt), Set.of(), TestKeys.of(ServiceRole.WORKER)));
    }

    private Frame spoken(Event event, int attempt, @Nullable KeyRing forger) {
        var with = forger == null ? keys(event.nonce(), attempt) : keysOf(event.nonce(), attempt, forger);
        var lane = switch (event.kind()) {
            case DELTA -> event.position() == 0 ? Lane.REASONING : Lane.VISIBLE;
            case SUMMARY, SUMMARY_END -> Lane.SUMMARY;
            case SEALED_REASONING, END -> Lane.VISIBLE;
            case PROGRESS, HANDOVER, ACCEPTED, REISSUE, FENCE, OWNER_END, SUMMARY_ABANDONED, STEER, UNKNOWN ->
                Lane.CONTROL;
        };
        var bare = new Frame(
                response, attempt, event.nonce(), event.number(), lane, event.kind(), 0, NOTHING, UnknownFields.NONE);
        var key = with.of(lane);
        var sealed = key == null ? bare : bare.withBody(key.seal(body(event), tenant, bare));
        if (event.kind() == FrameKind.SUMMARY_END) {
            return signed(sealed, forger);
        }
        return with.visible() == null ? sealed : with.tagged(sealed);
    }

    private static byte[] body(Event event) {
        return switch (event.kind()) {
            case DELTA -> new Delta(null, new int[] {event.position()}, "", false, List.of()).encode();
            case END -> new End(End.Finish.STOP, 1, 0, event.number(), 1, 1).encode();
            case SUMMARY -> new SummarySentence(true, "It thought.", SummaryTier.DESCRIBED).encode();
            case SUMMARY_END -> new SummaryEnd(false).encode();
            case SEALED_REASONING, PROGRESS, HANDOVER -> NOTHING;
            case ACCEPTED, REISSUE, FENCE, OWNER_END, SUMMARY_ABANDONED, STEER, UNKNOWN ->
                throw new IllegalArgumentException();
        };
    }

    private static Frame signed(Frame frame, @Nullable KeyRing forger) {
        return forger == null ? TestKeys.signed(frame) : forger.signatures().sign(frame);
    }

    private AttemptKeys keys(int nonce, int attempt) {
        return keys.computeIfAbsent(nonce << 4 | attempt, _ -> AttemptKeys.create());
    }

    /// Those that the fence has for the service that lost its keys; a stranger's own, who can open none.
    private AttemptKeys keysOf(int nonce, int attempt, KeyRing forger) {
        try {
            return AttemptKeys.of(fence(nonce, attempt), place(nonce, attempt), forger);
        } catch (SealException e) {
            return AttemptKeys.create();
        }
    }

    private AttemptKeys.Place place(int nonce, int attempt) {
        return new AttemptKeys.Place(tenant, response, attempt, nonce);
    }
}
