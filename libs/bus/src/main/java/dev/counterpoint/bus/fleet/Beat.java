package dev.counterpoint.bus.fleet;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One record of the compacted topic `models`, keyed by the sender: a sign of life.
///
/// A gateway sends beats without a model. It counts a worker's silence in its own beats that came back since,
/// so a bus or a reader that is slow makes nobody look dead.
///
/// @param sender incarnation: new at every start of a process
/// @param model what the sender serves, or null for a gateway
/// @param sentAtMillis milliseconds since 1970 by the sender's clock; tells how old a model's announcement is
/// @param role of a sender that is no gateway and no worker; null from those
/// @param lagMillis how far behind the sender is with its work; 0 when it has caught up
public record Beat(
        String sender,
        @Nullable Model model,
        long sentAtMillis,
        @Nullable Role role,
        long lagMillis) {
    private static final int VERSION = 1;

    /// A beat of a gateway or worker.
    public Beat(String sender, @Nullable Model model, long sentAtMillis) {
        this(sender, model, sentAtMillis, null, 0);
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
        var out = new Fields.Writer().number(1, VERSION).text(2, sender).number(3, sentAtMillis);
        if (model != null) {
            var served = model;
            out.message(
                    4,
                    inner -> inner.text(1, served.name)
                            .text(2, served.description)
                            .number(3, served.contextLength)
                            .number(4, served.slots)
                            .number(5, served.freeSlots)
                            .texts(6, served.abilities));
        }
        return out.text(5, role == null ? null : role.wireName())
                .number(6, lagMillis)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no beat, or of a newer major version
    public static Beat decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        var sender = "";
        long sentAt = 0;
        @Nullable Model model = null;
        @Nullable Role role = null;
        long lag = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> sender = in.text();
                case 3 -> sentAt = in.number();
                case 4 -> model = decodeModel(in.bytes());
                case 5 -> role = Role.ofWireName(in.text()).orElse(null);
                case 6 -> lag = in.number();
                default -> in.skip();
            }
        }
        if (version != VERSION || sender.isEmpty()) {
            throw new MalformedMessageException("not a beat of version " + VERSION);
        }
        return new Beat(sender, model, sentAt, role, lag);
    }

    private static Model decodeModel(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var name = "";
        var description = "";
        int context = 0;
        int slots = 0;
        int free = 0;
        var abilities = new ArrayList<String>();
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> name = in.text();
                case 2 -> description = in.text();
                case 3 -> context = in.small();
                case 4 -> slots = in.small();
                case 5 -> free = in.small();
                case 6 -> abilities.add(in.text());
                default -> in.skip();
            }
        }
        return new Model(name, description, context, slots, free, abilities);
    }
}
