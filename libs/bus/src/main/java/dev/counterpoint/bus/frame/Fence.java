package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/// Body of a `FENCE`: who takes the attempt, and the attempt's two keys, each wrapped for those who may open its lane.
///
/// @param worker incarnation of the worker; its beats tell whether it lives
/// @param visible the key of the visible lane, wrapped by role
/// @param reasoning the key of the reasoning lane, wrapped by role
public record Fence(String worker, Map<ServiceRole, byte[]> visible, Map<ServiceRole, byte[]> reasoning) {
    public byte[] encode() {
        return new FieldWriter()
                .text(1, worker)
                .messages(2, visible.entrySet(), Fence::encode)
                .messages(3, reasoning.entrySet(), Fence::encode)
                .toBytes();
    }

    private static void encode(FieldWriter out, Map.Entry<ServiceRole, byte[]> wrapped) {
        out.text(1, wrapped.getKey().wireName()).bytes(2, wrapped.getValue());
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Fence decode(byte[] bytes) {
        var in = new FieldReader(bytes);
        return new Fence(in.text(1), keys(in, 2), keys(in, 3));
    }

    private static Map<ServiceRole, byte[]> keys(FieldReader in, int field) {
        Map<ServiceRole, byte[]> keys = new EnumMap<>(ServiceRole.class);
        for (var wrapped : in.messages(field, Function.identity())) {
            ServiceRole.ofWireName(wrapped.text(1)).ifPresent(reader -> keys.put(reader, wrapped.bytes(2)));
        }
        return keys;
    }
}
