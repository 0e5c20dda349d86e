package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.Lane;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The two keys of one attempt; a service has only those that its role may have. Thread-safe.
///
/// @param visible opens what the caller sees
/// @param reasoning opens raw reasoning; null for a service that was given no key to it
public record AttemptKeys(
        @Nullable LaneKey visible, @Nullable LaneKey reasoning) {
    private static final Set<ServiceRole> VISIBLE_READERS =
            EnumSet.of(ServiceRole.GATEWAY, ServiceRole.WORKER, ServiceRole.SUMMARIZER);
    private static final Set<ServiceRole> REASONING_READERS = EnumSet.of(ServiceRole.WORKER, ServiceRole.SUMMARIZER);

    /// New keys, for a worker that is about to fence.
    public static AttemptKeys create() {
        return new AttemptKeys(LaneKey.create(), LaneKey.create());
    }

    /// The fence that hands these keys to those who may have them.
    ///
    /// @param rawReaders the roles that may open the reasoning lane beside workers and summarizer
    /// @param sealer of the worker, for the format of the response
    public Fence fence(String worker, Place place, Set<ServiceRole> rawReaders, ContentSealer sealer) {
        var reasoningReaders = EnumSet.copyOf(REASONING_READERS);
        reasoningReaders.addAll(rawReaders);
        return new Fence(
                worker,
                wrap(visible, place.context(Lane.VISIBLE), VISIBLE_READERS, sealer),
                wrap(reasoning, place.context(Lane.REASONING), reasoningReaders, sealer));
    }

    private static Map<ServiceRole, byte[]> wrap(
            @Nullable LaneKey key, String context, Set<ServiceRole> readers, ContentSealer sealer) {
        if (key == null) {
            throw new SealException("only an attempt's own worker hands out its keys");
        }
        Map<ServiceRole, byte[]> wrapped = new EnumMap<>(ServiceRole.class);
        readers.forEach(reader -> wrapped.put(reader, key.wrapFor(reader, sealer, context)));
        return wrapped;
    }

    /// The keys that the fence has for the service that holds `keys`.
    ///
    /// @throws SealException when a key is there and does not open
    public static AttemptKeys of(Fence fence, Place place, KeyRing keys) {
        return new AttemptKeys(
                unwrap(fence.visible().get(keys.self()), place.context(Lane.VISIBLE), keys),
                unwrap(fence.reasoning().get(keys.self()), place.context(Lane.REASONING), keys));
    }

    private static @Nullable LaneKey unwrap(byte @Nullable [] wrapped, String context, KeyRing keys) {
        return wrapped == null ? null : LaneKey.unwrap(wrapped, keys, context);
    }

    /// A frame of the holder, or of a summarizer, with the tag by which every reader of the log knows it. All of them
    /// have the visible key, so those that cannot open a frame know it too.
    public Frame tagged(Frame frame) {
        if (visible == null) {
            throw new SealException("frames are tagged with the visible key");
        }
        return frame.withProof(visible.tag(frame));
    }

    /// The key of a lane, or null when the holder has none.
    public @Nullable LaneKey of(Lane lane) {
        return switch (lane) {
            case VISIBLE, SUMMARY -> visible;
            case REASONING -> reasoning;
            case CONTROL -> null;
        };
    }

    /// Opens a delta, or gives null where the holder has no key to its lane.
    public @Nullable Delta delta(String tenant, Frame frame) {
        var key = of(frame.lane());
        return key == null ? null : Delta.decode(key.open(tenant, frame));
    }

    /// The place that an attempt's keys are bound to.
    public record Place(String tenant, ResponseId response, int attempt, long nonce) {
        String context(Lane lane) {
            // Not by a format, whose digits depend on the locale of the process.
            return String.join(
                    "|", tenant, response.toString(), Integer.toString(attempt), Long.toHexString(nonce), lane.name());
        }
    }
}
