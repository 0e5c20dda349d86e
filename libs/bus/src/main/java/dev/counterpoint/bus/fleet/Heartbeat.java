package dev.counterpoint.bus.fleet;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One record of the compacted topic `models`, keyed by the sender: a sign of life.
///
/// On the bus a beat is proven: [dev.counterpoint.bus.seal.BeatSigner] adds fields to it. A gateway sends beats
/// without a model. It counts a worker's silence in its own beats that came back since, so a bus or a reader that
/// is slow makes nobody look dead.
///
/// @param sender incarnation: new at every start of a process
/// @param model the model that the sender serves, or null for a gateway
/// @param sentAtMillis milliseconds since 1970 by the sender's clock; tells how old a model's announcement is
/// @param role of a sender that is no gateway and no worker; null from those
/// @param lagMillis the age of the work that the sender is at; 0 when it has caught up
public record Heartbeat(
        String sender,
        @Nullable Model model,
        long sentAtMillis,
        @Nullable ServiceRole role,
        long lagMillis) {
    private static final int VERSION = 1;

    /// A beat of a gateway or worker.
    public Heartbeat(String sender, @Nullable Model model, long sentAtMillis) {
        this(sender, model, sentAtMillis, null, 0);
    }

    /// The role that sends such a beat.
    public ServiceRole sentBy() {
        if (model != null) {
            return ServiceRole.WORKER;
        }
        return role == null ? ServiceRole.GATEWAY : role;
    }

    /// @param name as in `/v1/models`
    /// @param description for people; says so when the model is not a real one
    /// @param contextLength tokens of prompt and output together
    /// @param slots sequences at once
    /// @param freeSlots of these, idle now
    /// @param abilities such as `logprobs`, `masks`
    public record Model(
            String name, String description, int contextLength, int slots, int freeSlots, List<String> abilities) {
        public Model {
            abilities = List.copyOf(abilities);
        }
    }

    public byte[] encode() {
        return new FieldWriter()
                .number(1, VERSION)
                .text(2, sender)
                .number(3, sentAtMillis)
                .message(4, model, Heartbeat::encode)
                .text(5, role == null ? null : role.wireName())
                .number(6, lagMillis)
                .toBytes();
    }

    private static void encode(FieldWriter out, Model model) {
        out.text(1, model.name)
                .text(2, model.description)
                .number(3, model.contextLength)
                .number(4, model.slots)
                .number(5, model.freeSlots)
                .texts(6, model.abilities);
    }

    /// @throws MalformedMessageException for bytes that are no beat, or of a newer major version
    public static Heartbeat decode(byte[] bytes) {
        var in = new FieldReader(bytes, VERSION);
        if (in.text(2).isEmpty()) {
            throw new MalformedMessageException("a beat without a sender");
        }
        var role = ServiceRole.ofWireName(in.text(5)).orElse(null);
        return new Heartbeat(in.text(2), in.message(4, Heartbeat::model), in.number(3), role, in.number(6));
    }

    private static Model model(FieldReader in) {
        return new Model(in.text(1), in.text(2), in.small(3), in.small(4), in.small(5), in.texts(6));
    }
}
