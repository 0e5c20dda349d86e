package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.ProvenMessage;
import dev.counterpoint.bus.wire.Wire;
import org.jspecify.annotations.Nullable;

/// Proves the beats of one incarnation of a service. A signature for each would cost more than all else of a beat,
/// so the incarnation makes a key, signs once whom it is for, and every beat carries that and a tag under the key.
/// Beats are numbered, so that an old one does not pass for news. Inside the first tag, a worker's beat has another
/// one, under a key for summarizers: with that key they cannot make beats that gateways believe. Thread-safe.
public final class BeatSigner {
    private final String sender;
    private final LaneKey key = LaneKey.create();
    private final @Nullable LaneKey summarizerKey;
    private final byte[] announcement;
    private long count;

    public BeatSigner(String sender, KeyRing keys) {
        this.sender = sender;
        var role = keys.self();
        var content = BusProto.BeatAnnouncement.newBuilder()
                .setSenderBytes(Wire.text(sender))
                .setKey(Wire.bytes(key.wrapFor(ServiceRole.GATEWAY, keys, context(sender))));
        summarizerKey = role == ServiceRole.WORKER ? LaneKey.create() : null;
        if (summarizerKey != null) {
            var sealed = summarizerKey.wrapFor(ServiceRole.SUMMARIZER, keys, context(sender));
            content.setSummarizerKey(Wire.bytes(sealed));
        }
        var bytes = content.build().toByteArray();
        announcement = keys.signatures().sign(SignedRecord.beatsOf(role), Topic.MODELS, bytes);
    }

    public String sender() {
        return sender;
    }

    static String context(String sender) {
        return "beats|" + sender;
    }

    public byte[] prove(Heartbeat beat) {
        return prove(beat, false);
    }

    /// The last beat: its readers count the sender as gone.
    public byte[] proveFarewell(Heartbeat beat) {
        return prove(beat, true);
    }

    private synchronized byte[] prove(Heartbeat beat, boolean leaves) {
        count++;
        var added = BusProto.BeatProof.newBuilder()
                .setCount(count)
                .setLeaves(Wire.flag(leaves))
                .setAnnouncement(Wire.bytes(announcement))
                .build();
        var content = Wire.bytes(beat.encode()).concat(added.toByteString()).toByteArray();
        return tagged(key, summarizerKey == null ? content : tagged(summarizerKey, content));
    }

    private static byte[] tagged(LaneKey key, byte[] content) {
        return new ProvenMessage(content, key.tag(content)).encode();
    }
}
