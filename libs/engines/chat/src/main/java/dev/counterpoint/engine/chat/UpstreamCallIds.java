package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.family.ModelFamily.CallIds;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The ids of calls in the form that the model's template takes. The same conversation has the same ids in
/// each turn, so that what a server computed of it counts again. Not thread-safe.
final class UpstreamCallIds {
    private static final int LETTERS = 9;
    private static final int RADIX = 36;

    private final boolean nine;
    private final Map<String, String> known = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    /// @param family of the model; null where it is not known
    UpstreamCallIds(@Nullable ModelFamily family) {
        nine = family != null && family.callIds() == CallIds.NINE;
    }

    /// @param id as the client has it
    String of(String id) {
        return nine ? known.computeIfAbsent(id, this::nineOf) : id;
    }

    private String nineOf(String id) {
        var bytes = id.getBytes(StandardCharsets.UTF_8);
        long hash = 0;
        String made;
        do {
            var crc = new CRC32C();
            crc.update(bytes);
            crc.update((int) hash);
            hash = crc.getValue() + hash + 1;
            var text = Long.toString(hash, RADIX);
            made = "0".repeat(Math.max(0, LETTERS - text.length())) + text;
        } while (!taken.add(made));
        return made;
    }
}
