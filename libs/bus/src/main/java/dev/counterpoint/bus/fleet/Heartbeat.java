package dev.counterpoint.bus.fleet;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;
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
/// @param inbox the partitions of its model's topic that a worker reads; empty when it reads none, or is of an
///     earlier version
/// @param intervalMillis the time until the sender's next beat; 0 from earlier versions
/// @param frameFormat the newest format of frames that the sender reads
public record Heartbeat(
        String sender,
        @Nullable Model model,
        long sentAtMillis,
        @Nullable ServiceRole role,
        long lagMillis,
        List<InboxPartition> inbox,
        long intervalMillis,
        int frameFormat) {
    private static final int VERSION = 1;

    public Heartbeat {
        inbox = List.copyOf(inbox);
    }

    /// A beat of this version.
    public Heartbeat(
            String sender, @Nullable Model model, long sentAtMillis, @Nullable ServiceRole role, long lagMillis) {
        this(sender, model, sentAtMillis, role, lagMillis, List.of(), 0, Frame.NEWEST_FORMAT);
    }

    /// A beat of a gateway or worker.
    public Heartbeat(String sender, @Nullable Model model, long sentAtMillis) {
        this(sender, model, sentAtMillis, null, 0);
    }

    /// A partition of a worker's inbox.
    ///
    /// @param partition of [dev.counterpoint.bus.kafka.Topic#inboxName]
    /// @param taken offset of the first ticket that the worker has not taken
    public record InboxPartition(int partition, long taken) {}

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
        var out = BusProto.Heartbeat.newBuilder()
                .setVersion(VERSION)
                .setSenderBytes(Wire.text(sender))
                .setSentAtMillis(sentAtMillis)
                .setLagMillis(lagMillis)
                .setIntervalMillis(intervalMillis)
                .setFrameFormat(Wire.unlessFirst(frameFormat));
        inbox.forEach(each -> out.addInboxBuilder().setPartition(each.partition).setTaken(each.taken));
        if (model != null) {
            out.setModel(encode(model));
        }
        if (role != null) {
            out.setRole(role.wireName());
        }
        return out.build().toByteArray();
    }

    private static BusProto.Heartbeat.Model encode(Model model) {
        return BusProto.Heartbeat.Model.newBuilder()
                .setNameBytes(Wire.text(model.name))
                .setDescriptionBytes(Wire.text(model.description))
                .setContextLength(model.contextLength)
                .setSlots(model.slots)
                .setFreeSlots(model.freeSlots)
                .addAllAbilities(model.abilities)
                .build();
    }

    public static Heartbeat decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Heartbeat.parser(), bytes, VERSION);
        if (in.getSender().isEmpty()) {
            throw new MalformedMessageException("a beat without a sender");
        }
        return new Heartbeat(
                in.getSender(),
                in.hasModel() ? model(in.getModel()) : null,
                in.getSentAtMillis(),
                ServiceRole.ofWireName(in.getRole()).orElse(null),
                in.getLagMillis(),
                in.getInboxList().stream()
                        .map(each -> new InboxPartition(Wire.small(each.getPartition()), each.getTaken()))
                        .toList(),
                in.getIntervalMillis(),
                Frame.knownFormat(in.getFrameFormat()));
    }

    private static Model model(BusProto.Heartbeat.Model in) {
        return new Model(
                in.getName(),
                in.getDescription(),
                Wire.small(in.getContextLength()),
                Wire.small(in.getSlots()),
                Wire.small(in.getFreeSlots()),
                in.getAbilitiesList());
    }
}
