package dev.counterpoint.auditlog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
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
///
/// @param tenant null where the row has none, or nobody knows that it is one
/// @param before the tenant's leaves before this one
public record Leaf(
        byte[] commitment, String table, @Nullable String tenant, Count before, long millis) {
    private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
    /// A name of a tenant: short ASCII that needs no escapes.
    private static final Pattern TENANT = Pattern.compile("[ !#-\\[\\]-~]{1,100}");
    /// The only form of a leaf.
    private static final Pattern FORM =
            Pattern.compile("\\{\"c\":\"([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)\",\"k\":\"([a-z_]+)\"" + "(?:,\"n\":"
                    + NUMBER + "(?:,\"p\":" + NUMBER + ")?,\"t\":\"(" + TENANT + ")\")?,\"ts\":" + NUMBER
                    + ",\"v\":1\\}");

    /// The leaves of a tenant so far.
    ///
    /// @param last index of the last one, null before the first
    public record Count(long leaves, @Nullable Long last) {
        public static final Count NONE = new Count(0, null);

        public Count next(long index) {
            return new Count(leaves + 1, index);
        }
    }

    /// The name of a tenant as leaves have it: null for a text that is no such name. A gateway or worker in the wrong
    /// hands may send any text.
    public static @Nullable String tenant(@Nullable String name) {
        return name != null && TENANT.matcher(name).matches() ? name : null;
    }

    public byte[] encode() {
        var members = new TreeMap<String, Object>();
        members.put("c", Base64.getEncoder().encodeToString(commitment));
        members.put("k", table);
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

    /// Empty for bytes in any other form.
    public static Optional<Leaf> read(byte[] leaf) {
        var form = FORM.matcher(new String(leaf, ISO_8859_1));
        if (!form.matches()) {
            return Optional.empty();
        }
        var tenant = form.group(5);
        var last = form.group(4);
        var before = tenant == null
                ? Count.NONE
                : new Count(Long.parseLong(form.group(3)) - 1, last == null ? null : Long.valueOf(last));
        return Optional.of(new Leaf(
                Base64.getDecoder().decode(form.group(1)),
                form.group(2),
                tenant,
                before,
                Long.parseLong(form.group(6))));
    }
}
