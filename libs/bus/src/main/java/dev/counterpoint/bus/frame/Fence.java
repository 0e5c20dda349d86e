package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Body of a `FENCE`: who takes the attempt, and the attempt's two keys, each wrapped for those who may open its lane.
///
/// @param worker incarnation of the worker; its beats tell whether it lives
/// @param visible the key of the visible lane, wrapped by role
/// @param reasoning the key of the reasoning lane, wrapped by role
public record Fence(String worker, Map<ServiceRole, byte[]> visible, Map<ServiceRole, byte[]> reasoning) {
    public byte[] encode() {
        return BusProto.Fence.newBuilder()
                .setWorkerBytes(Wire.text(worker))
                .addAllVisible(wrapped(visible))
                .addAllReasoning(wrapped(reasoning))
                .build()
                .toByteArray();
    }

    private static List<BusProto.Fence.WrappedKey> wrapped(Map<ServiceRole, byte[]> keys) {
        return keys.entrySet().stream()
                .map(key -> BusProto.Fence.WrappedKey.newBuilder()
                        .setRole(key.getKey().wireName())
                        .setKey(Wire.bytes(key.getValue()))
                        .build())
                .toList();
    }

    public static Fence decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Fence.parser(), bytes);
        return new Fence(in.getWorker(), keys(in.getVisibleList()), keys(in.getReasoningList()));
    }

    private static Map<ServiceRole, byte[]> keys(List<BusProto.Fence.WrappedKey> wrapped) {
        Map<ServiceRole, byte[]> keys = new EnumMap<>(ServiceRole.class);
        for (var key : wrapped) {
            ServiceRole.ofWireName(key.getRole())
                    .ifPresent(reader -> keys.put(reader, key.getKey().toByteArray()));
        }
        return keys;
    }
}
