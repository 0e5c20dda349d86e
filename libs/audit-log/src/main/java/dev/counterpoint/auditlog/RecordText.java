package dev.counterpoint.auditlog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the log commits to of a row of the table `trace_record`: its columns, salted hashes of what an erasure takes
/// away (its column `personal_hash` once that has happened), and the hash of the ciphertext. Rows are maps of the
/// columns' names to texts, numbers, flags, bytes and
/// [Instant]s.
public final class RecordText {
    public static final String TABLE = "trace_record";
    /// Columns that the text has as they are, times in microseconds.
    private static final String[] PLAIN = """
        response tenant key_id model status reason accepted_at ended_at stored_at opt_in partial cut unopened_frames \
        input_tokens output_tokens reasoning_tokens segments data_key_id imported\
        """.split(" ");

    private RecordText() {}

    public static String of(Map<String, ? extends @Nullable Object> row) {
        var members = plain(row, PLAIN);
        members.put("content", hex(row.get("content_hash")));
        members.put(
                Opening.PERSONAL,
                row.get("personal_salt") instanceof byte[] salt
                        ? hex(Commitment.to(salt, personal(row)))
                        : hex(row.get("personal_hash")));
        return SortedJson.of(members);
    }

    public static String personal(Map<String, ? extends @Nullable Object> row) {
        return SortedJson.of(plain(row, "conversation", "subject_token"));
    }

    private static TreeMap<String, Object> plain(Map<String, ? extends @Nullable Object> row, String... columns) {
        var members = new TreeMap<String, Object>();
        for (var column : columns) {
            var value = row.get(column);
            members.put(
                    column,
                    switch (value) {
                        case Instant time -> ChronoUnit.MICROS.between(Instant.EPOCH, time);
                        case byte[] bytes -> hex(bytes);
                        case null -> "";
                        default -> value;
                    });
        }
        return members;
    }

    private static String hex(@Nullable Object bytes) {
        return bytes instanceof byte[] value ? HexFormat.of().formatHex(value) : "";
    }
}
