package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.EnumMap;
import java.util.Map;

/// Body of a `FENCE`: who takes the attempt, and the attempt's two keys, each wrapped for those who may open its lane.
///
/// @param worker incarnation of the worker; its beats tell whether it lives
/// @param visible the key of the visible lane, wrapped by role
/// @param reasoning the key of the reasoning lane, wrapped by role
public record Fence(String worker, Map<Role, byte[]> visible, Map<Role, byte[]> reasoning) {
    public byte[] encode() {
        var out = new Fields.Writer().text(1, worker);
        visible.forEach((role, key) -> out.message(2, entry -> wrapped(entry, role, key)));
        reasoning.forEach((role, key) -> out.message(3, entry -> wrapped(entry, role, key)));
        return out.toBytes();
    }

    private static void wrapped(Fields.Writer entry, Role role, byte[] key) {
        entry.text(1, role.wireName()).bytes(2, key);
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Fence decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var worker = "";
        Map<Role, byte[]> visible = new EnumMap<>(Role.class);
        Map<Role, byte[]> reasoning = new EnumMap<>(Role.class);
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> worker = in.text();
                case 2 -> unwrap(in.bytes(), visible);
                case 3 -> unwrap(in.bytes(), reasoning);
                default -> in.skip();
            }
        }
        return new Fence(worker, visible, reasoning);
    }

    private static void unwrap(byte[] entry, Map<Role, byte[]> keys) {
        var in = new Fields.Reader(entry);
        var role = "";
        byte[] key = new byte[0];
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> role = in.text();
                case 2 -> key = in.bytes();
                default -> in.skip();
            }
        }
        byte[] wrapped = key;
        Role.ofWireName(role).ifPresent(reader -> keys.put(reader, wrapped));
    }
}
