package dev.counterpoint.structured;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of a schema and its values.
///
/// @param refused why it was not compiled, null when it was
/// @param compileNanos with the first mask
/// @param stepNanos for each token of the values: its mask, and taking it
/// @param accepted for each value; empty when refused
/// @param failures what ended a value other than a verdict
record SchemaOutcome(
        SchemaCase schema,
        @Nullable Refusal refused,
        long compileNanos,
        List<Long> stepNanos,
        List<Boolean> accepted,
        List<String> failures) {

    /// @param keyword which one cannot be enforced, or the kind of limit that was met
    record Refusal(String keyword, String reason) {}

    static SchemaOutcome refused(SchemaCase schema, String keyword, String reason) {
        return new SchemaOutcome(schema, new Refusal(keyword, reason), 0, List.of(), List.of(), List.of());
    }

    /// True if every value got the verdict that it deserves.
    boolean right() {
        return refused == null
                && failures.isEmpty()
                && wrong(true).isEmpty()
                && wrong(false).isEmpty();
    }

    long slowestStep() {
        return stepNanos.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /// The names of valid values that were rejected, or of invalid ones that were accepted.
    List<String> wrong(boolean valid) {
        var wrong = new ArrayList<String>();
        for (int i = 0; i < accepted.size(); i++) {
            boolean deserves = schema.instances().get(i).valid();
            if (deserves == valid && accepted.get(i) != deserves) {
                wrong.add(schema.id() + " test " + i);
            }
        }
        return wrong;
    }
}
