package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An entry of the log: one line of JSON of at most 250 bytes that names nobody, so anybody may have it.
///
/// | member | |
/// |---|---|
/// | `c` | [Commitment] to the row, in base64 |
/// | `k` | table of the row |
/// | `t`, `n`, `p` | its tenant, the number of this leaf among the tenant's from 1, the index of the one before |
/// | `ts` | milliseconds since 1970, when the row got its index |
/// | `v` | 1 |
final class Leaf {
    private static final byte[] NONE = {};

    private Leaf() {}

    /// The leaves of a tenant so far.
    ///
    /// @param last index of the last one, null before the first
    record Count(long leaves, @Nullable Long last) {
        static final Count NONE = new Count(0, null);

        Count next(long index) {
            return new Count(leaves + 1, index);
        }
    }

    /// @param before the leaves of the row's tenant
    static byte[] of(LoggedRow row, long millis, Count before) {
        var tenant = row.tenant();
        var members = new TreeMap<String, Object>();
        members.put("c", Base64.getEncoder().encodeToString(row.commitment()));
        members.put("k", row.table());
        members.put("ts", millis);
        members.put("v", 1);
        if (tenant != null) {
            members.put("t", tenant);
            members.put("n", before.leaves + 1);
            if (before.last != null) {
                members.put("p", before.last);
            }
        }
        return SortedJson.of(members).getBytes(UTF_8);
    }

    /// Without bytes where there is none.
    static byte[] commitment(byte[] leaf) {
        try {
            return Base64.getDecoder().decode(read(leaf).path("c").asText());
        } catch (IllegalArgumentException e) {
            return NONE;
        }
    }

    static long millis(byte[] leaf) {
        return read(leaf).path("ts").asLong();
    }

    /// Counts a leaf among those of its tenant.
    static void count(byte[] leaf, long index, Map<String, Count> counts) {
        var members = read(leaf);
        if (members.has("t")) {
            counts.put(members.path("t").asText(), new Count(members.path("n").asLong(), index));
        }
    }

    private static JsonNode read(byte[] leaf) {
        return SortedJson.read(new String(leaf, UTF_8));
    }
}
