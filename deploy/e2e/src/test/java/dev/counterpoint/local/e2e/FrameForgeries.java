package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.local.e2e.Forgery.Counted;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/// What an attacker appends to the logs of responses. It holds the signing key of every role but the one that a
/// record wants, and reads all of the bus.
final class FrameForgeries {
    private static final byte[] NOISE = "no message of ours at all".getBytes(StandardCharsets.UTF_8);
    private static final byte[] SOME_TAG = new byte[16];
    private static final byte[] SOME_BODY = new byte[40];
    private static final long NONCE = 0xBAD;

    private final BusTap bus;
    private final KeyRing gateway;
    private final KeyRing worker;
    private final KeyRing summarizer;

    /// @param keys folder of the suite's keys
    FrameForgeries(BusTap bus, Path keys) {
        this.bus = bus;
        gateway = KeyRing.load(keys, ServiceRole.GATEWAY);
        worker = KeyRing.load(keys, ServiceRole.WORKER);
        summarizer = KeyRing.load(keys, ServiceRole.SUMMARIZER);
    }

    Stream<Forgery> all() {
        return Stream.of(decisions(), holders(), copies()).flatMap(Function.identity());
    }

    /// What only one role decides, signed by another one or by nobody.
    private Stream<Forgery> decisions() {
        return Stream.of(
                forged("frame 0 that nobody asked for", this::unasked),
                forged("second frame 0 with more readers", this::readable),
                forged("fence with keys for gateways", this::fence),
                forged("malformed fence", at -> sign(at, FrameKind.FENCE).withBody(new byte[] {1, 2, 3})),
                forged("reissue", at -> signed(worker, Frame.decision(at.id(), 2, FrameKind.REISSUE, new byte[0]))),
                forged("owner's end", at -> signed(worker, ownerEnd(at.id()))),
                forged(
                        "summary abandoned",
                        at -> signed(summarizer, Frame.decision(at.id(), 1, FrameKind.SUMMARY_ABANDONED, new byte[0]))),
                forged("summary end", at -> signed(gateway, said(at, 0, Lane.SUMMARY, FrameKind.SUMMARY_END))));
    }

    /// What only the worker that holds the response says, or a summarizer.
    private Stream<Forgery> holders() {
        return Stream.of(
                forged("token", at -> tagged(said(at, at.next(), Lane.VISIBLE, FrameKind.DELTA))),
                forged("token far ahead", at -> tagged(said(at, at.next() + 1_000, Lane.REASONING, FrameKind.DELTA))),
                forged("sealed reasoning", at -> tagged(said(at, at.next(), Lane.VISIBLE, FrameKind.SEALED_REASONING))),
                forged("end", at -> tagged(said(at, at.next(), Lane.VISIBLE, FrameKind.END))),
                forged("progress", at -> tagged(sign(at, FrameKind.PROGRESS))),
                forged("handover", at -> tagged(sign(at, FrameKind.HANDOVER))),
                forged("summary sentence", at -> tagged(said(at, 0, Lane.SUMMARY, FrameKind.SUMMARY))));
    }

    /// What the suite wrote, put elsewhere.
    private Stream<Forgery> copies() {
        return Stream.of(
                forged("token of another response, renamed", at -> renamed(at, FrameKind.DELTA)),
                forged("decision of another tenant, renamed", at -> renamed(at, FrameKind.FENCE)),
                record("frame of another response, under this key", at -> placed(at, another(at, FrameKind.FENCE))),
                new Forgery(
                        "token again",
                        Counted.NOWHERE,
                        at -> List.of(at.first(FrameKind.DELTA).record())),
                record(
                        "trace among frames",
                        at -> placed(at, bus.last(Topic.AUDIT, _ -> true).value())),
                record("noise among frames", at -> placed(at, NOISE)));
    }

    private static Forgery forged(String name, Function<AttackedResponse, Frame> maker) {
        return record(name, at -> maker.apply(at).record());
    }

    private static Forgery record(String name, Function<AttackedResponse, ProducerRecord<String, byte[]>> maker) {
        return new Forgery(name, Counted.FRAMES, at -> List.of(maker.apply(at)));
    }

    private static ProducerRecord<String, byte[]> placed(AttackedResponse at, byte[] bytes) {
        return new ProducerRecord<>(Topic.FRAMES, at.id().partition(), at.id().toString(), bytes);
    }

    private static Frame signed(KeyRing by, Frame frame) {
        return by.signatures().sign(frame);
    }

    private static Frame tagged(Frame frame) {
        return frame.withProof(SOME_TAG);
    }

    private static Frame sign(AttackedResponse at, FrameKind kind) {
        return Frame.sign(at.id(), 1, at.nonce(), kind);
    }

    private static Frame said(AttackedResponse at, int seq, Lane lane, FrameKind kind) {
        return new Frame(at.id(), 1, at.nonce(), seq, lane, kind, 0, SOME_BODY, UnknownFields.NONE);
    }

    private static Frame ownerEnd(ResponseId id) {
        var end = new OwnerEnd(OwnerEnd.Reason.CANCELLED);
        return Frame.decision(id, 1, FrameKind.OWNER_END, end.encode());
    }

    private Frame unasked(AttackedResponse at) {
        var id = ResponseId.create(at.id().acceptedAtMillis(), at.id().partition());
        return signed(worker, Frame.decision(id, 1, FrameKind.ACCEPTED, readable(at.accepted())));
    }

    private Frame readable(AttackedResponse at) {
        return signed(worker, Frame.decision(at.id(), 1, FrameKind.ACCEPTED, readable(at.accepted())));
    }

    private static byte[] readable(Accepted accepted) {
        return new Accepted(
                        accepted.tenant(),
                        accepted.key(),
                        accepted.model(),
                        accepted.acceptedAtMillis(),
                        accepted.deadlineMillis(),
                        Set.of(ServiceRole.GATEWAY, ServiceRole.AUDIT),
                        accepted.background(),
                        accepted.stored(),
                        accepted.band(),
                        accepted.sealed(),
                        accepted.gateway(),
                        1)
                .encode();
    }

    private Frame fence(AttackedResponse at) {
        var place = new AttemptKeys.Place(at.accepted().tenant(), at.id(), 1, NONCE);
        var fence = AttemptKeys.create().fence("worker-bad", place, Set.of(ServiceRole.GATEWAY), gateway);
        return signed(gateway, Frame.sign(at.id(), 1, NONCE, FrameKind.FENCE).withBody(fence.encode()));
    }

    private byte[] another(AttackedResponse at, FrameKind kind) {
        return bus.last(Topic.FRAMES, record -> {
                    var frame = Frame.decode(record);
                    return frame.kind() == kind && !frame.response().equals(at.id());
                })
                .value();
    }

    /// Under the name of the attacked response, with the proof that it came with.
    private Frame renamed(AttackedResponse at, FrameKind kind) {
        var frame = Frame.decode(another(at, kind));
        return new Frame(
                at.id(),
                frame.attempt(),
                kind == FrameKind.DELTA ? at.nonce() : frame.nonce(),
                kind == FrameKind.DELTA ? at.next() : frame.seq(),
                frame.lane(),
                frame.kind(),
                frame.message(),
                frame.body(),
                frame.unknown(),
                frame.proof(),
                frame.format());
    }
}
