package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.ProvenMessage;

/// Proves the beats of one incarnation of a service. A signature for each would cost more than all else of a beat,
/// so the incarnation makes a key, signs once whom it is for, and every beat carries that and a tag under the key.
/// Beats are numbered, so that an old one does not pass for news. Thread-safe.
public final class BeatSigner {
    /// The number of a beat among those of its sender, from 1.
    static final int COUNT = 12;

    /// True for the last beat of a sender.
    static final int LEAVES = 13;

    /// An announcement, signed by the sender: field 1 is the sender, field 2 the key, sealed to gateways.
    static final int ANNOUNCEMENT = 14;

    private final String sender;
    private final LaneKey key = LaneKey.create();
    private final byte[] announcement;
    private long count;

    /// @param sender the incarnation
    public BeatSigner(String sender, KeyRing keys) {
        this.sender = sender;
        var role = keys.self();
        var sealed = key.wrapFor(ServiceRole.GATEWAY, keys, context(sender));
        var content = new FieldWriter().text(1, sender).bytes(2, sealed).toBytes();
        announcement = keys.signatures().sign(SignedRecord.beatsOf(role), Topic.MODELS, content);
    }

    /// The incarnation.
    public String sender() {
        return sender;
    }

    static String context(String sender) {
        return "beats|" + sender;
    }

    public byte[] prove(Heartbeat beat) {
        return prove(beat, false);
    }

    /// The last beat: whoever reads it counts the sender as gone.
    public byte[] proveFarewell(Heartbeat beat) {
        return prove(beat, true);
    }

    private synchronized byte[] prove(Heartbeat beat, boolean leaves) {
        count++;
        var content = new FieldWriter()
                .encoded(beat.encode())
                .number(COUNT, count)
                .flag(LEAVES, leaves)
                .bytes(ANNOUNCEMENT, announcement)
                .toBytes();
        return new ProvenMessage(content, key.tag(content)).encode();
    }
}
