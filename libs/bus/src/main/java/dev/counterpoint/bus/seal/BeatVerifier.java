package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.ProvenMessage;
import dev.counterpoint.bus.wire.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Separates genuine beats from all others: for gateways, and those of workers for summarizers. The announcement of
/// an incarnation is verified once. Not thread-safe.
public final class BeatVerifier {
    /// Incarnations that are remembered. One that was forgotten is verified again, and could be shown an old beat.
    static final int SENDERS_MAX = 4_096;

    /// A beat of longer ago tells nothing; and who restarts knows no numbers of senders that are gone.
    private static final Duration AGE_MAX = Duration.ofHours(1);

    private static final int NAME_MAX = 256;
    private static final int DESCRIPTION_MAX = 1_024;
    private static final int ABILITIES_MAX = 64;
    private static final int INBOX_MAX = 4_096;

    private final KeyRing keys;
    private final Map<String, Sender> senders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sender> eldest) {
            return size() > SENDERS_MAX;
        }
    };

    private static final class Sender {
        private final byte[] announcement;
        private final ServiceRole role;
        private final LaneKey key;
        private long heard;

        private Sender(byte[] announcement, ServiceRole role, LaneKey key) {
            this.announcement = announcement;
            this.role = role;
            this.key = key;
        }
    }

    /// A beat that its sender sent.
    ///
    /// @param leaves whether it is the sender's last
    public record Heard(Heartbeat beat, boolean leaves) {}

    public BeatVerifier(KeyRing keys) {
        this.keys = keys;
    }

    /// @param nowMillis milliseconds since 1970
    /// @return the beat; empty when it is forged, too large, or older than one that was heard, which is counted
    public Optional<Heard> verify(byte[] record, long nowMillis) {
        try {
            var proven = ProvenMessage.decode(record);
            if (forSummarizer()) {
                proven = ProvenMessage.decode(proven.content());
            }
            return verify(proven, Heartbeat.decode(proven.content()), nowMillis);
        } catch (MalformedMessageException e) {
            return refused(Reason.CONTENT);
        }
    }

    private Optional<Heard> verify(ProvenMessage proven, Heartbeat beat, long nowMillis) {
        if (!fits(beat)) {
            return refused(Reason.CONTENT);
        }
        if (beat.sentAtMillis() < nowMillis - AGE_MAX.toMillis()) {
            return refused(Reason.OLDER);
        }
        var in = Wire.parse(BusProto.BeatProof.parser(), proven.content());
        var sender = sender(beat, in.getAnnouncement().toByteArray());
        if (sender == null) {
            return refused(Reason.SIGNATURE);
        }
        if (!sender.key.hasTagged(proven.content(), proven.proof())) {
            return refused(Reason.TAG);
        }
        if (in.getCount() <= sender.heard) {
            return refused(Reason.OLDER);
        }
        // Only now: announcements stand in the log in clear, and nobody is forgotten for a copy of one.
        senders.putIfAbsent(beat.sender(), sender);
        sender.heard = in.getCount();
        return Optional.of(new Heard(beat, in.getLeaves() != 0));
    }

    private boolean forSummarizer() {
        return keys.self() == ServiceRole.SUMMARIZER;
    }

    private static boolean fits(Heartbeat beat) {
        var model = beat.model();
        return beat.sender().length() <= NAME_MAX
                && beat.inbox().size() <= INBOX_MAX
                && (model == null
                        || model.name().length() <= NAME_MAX
                                && model.description().length() <= DESCRIPTION_MAX
                                && model.abilities().size() <= ABILITIES_MAX
                                && model.abilities().stream().allMatch(ability -> ability.length() <= NAME_MAX));
    }

    private @Nullable Sender sender(Heartbeat beat, byte[] announcement) {
        var role = beat.sentBy();
        var known = senders.get(beat.sender());
        if (known != null && known.role == role && Arrays.equals(known.announcement, announcement)) {
            return known;
        }
        // An incarnation announces itself once: another key under its name would let old beats pass.
        return known == null ? announced(beat.sender(), role, announcement) : null;
    }

    private @Nullable Sender announced(String name, ServiceRole role, byte[] announcement) {
        try {
            var content = ProvenMessage.decode(announcement);
            if (!keys.signatures().verifies(SignedRecord.beatsOf(role), Topic.MODELS, content)) {
                return null;
            }
            var in = Wire.parse(BusProto.BeatAnnouncement.parser(), content.content());
            var sealed = (forSummarizer() ? in.getSummarizerKey() : in.getKey()).toByteArray();
            return in.getSender().equals(name)
                    ? new Sender(announcement, role, LaneKey.unwrap(sealed, keys, BeatSigner.context(name)))
                    : null;
        } catch (MalformedMessageException | SealException e) {
            return null;
        }
    }

    private Optional<Heard> refused(Reason reason) {
        keys.signatures().refused(Topic.MODELS, reason);
        return Optional.empty();
    }
}
