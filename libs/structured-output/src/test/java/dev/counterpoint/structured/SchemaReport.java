package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// What became of all schemas of a sample.
final class SchemaReport {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final Map<String, Object> WRITTEN = new LinkedHashMap<>();

    private static final int SLOWEST_SHOWN = 8;

    private final List<SchemaOutcome> outcomes;

    SchemaReport(List<SchemaOutcome> outcomes) {
        this.outcomes = List.copyOf(outcomes);
    }

    List<SchemaOutcome> outcomes() {
        return outcomes;
    }

    int total() {
        return outcomes.size();
    }

    int passed() {
        return (int) outcomes.stream().filter(SchemaOutcome::right).count();
    }

    List<String> validRejected() {
        return outcomes.stream().flatMap(one -> one.wrong(true).stream()).toList();
    }

    List<String> invalidAccepted() {
        return outcomes.stream().flatMap(one -> one.wrong(false).stream()).toList();
    }

    List<String> failures() {
        return outcomes.stream().flatMap(one -> one.failures().stream()).toList();
    }

    int refusedTotal() {
        return (int) outcomes.stream().filter(one -> one.refused() != null).count();
    }

    private Map<String, List<String>> refused() {
        var refused = new TreeMap<String, List<String>>();
        for (var outcome : outcomes) {
            var refusal = outcome.refused();
            if (refusal != null) {
                refused.computeIfAbsent(refusal.keyword(), _ -> new ArrayList<>())
                        .add(outcome.schema().id() + ": " + refusal.reason());
            }
        }
        return refused;
    }

    Percentiles compile() {
        return new Percentiles(outcomes.stream()
                .filter(one -> one.refused() == null)
                .map(SchemaOutcome::compileNanos)
                .toList());
    }

    Percentiles steps() {
        return new Percentiles(
                outcomes.stream().flatMap(one -> one.stepNanos().stream()).toList());
    }

    /// The ids of the slowest schemas, with their µs.
    Map<String, Long> slowest(ToLongFunction<SchemaOutcome> nanos) {
        var slowest = new LinkedHashMap<String, Long>();
        outcomes.stream()
                .sorted(Comparator.comparingLong(nanos).reversed())
                .limit(SLOWEST_SHOWN)
                .forEach(one -> slowest.put(one.schema().id(), nanos.applyAsLong(one) / 1000));
        return slowest;
    }

    private Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        var refused = refused();
        var counts = new TreeMap<String, Integer>();
        refused.forEach((keyword, all) -> counts.put(keyword, all.size()));
        json.put("total", total());
        json.put("passed", passed());
        json.put("refused_total", refusedTotal());
        json.put("refused", counts);
        json.put("invalid_accepted", invalidAccepted().size());
        json.put("valid_rejected", validRejected().size());
        json.put("invalid_accepted_ids", invalidAccepted());
        json.put("valid_rejected_ids", validRejected());
        json.put("failures", failures());
        json.put("compile_with_first_mask_us", compile().json());
        json.put("mask_and_accept_us", steps().json());
        json.put("slowest_compile_us", slowest(SchemaOutcome::compileNanos));
        json.put("slowest_mask_us", slowest(SchemaOutcome::slowestStep));
        json.put("refused_ids", refused);
        return json;
    }

    /// Prints one line and adds the report to `target/conformance/schemas.json`.
    ///
    /// @param part where it stands there; the empty text puts it at the root
    void write(String part) {
        System.out.printf(
                "schemas%s: %d of %d right, %d refused, %d invalid accepted, %d valid rejected; compile %s; mask %s%n",
                part.isEmpty() ? "" : " of " + part,
                passed(),
                total(),
                refusedTotal(),
                invalidAccepted().size(),
                validRejected().size(),
                compile().json(),
                steps().json());
        merge(part, json());
    }

    private static synchronized void merge(String part, Map<String, Object> json) {
        if (part.isEmpty()) {
            WRITTEN.putAll(json);
        } else {
            WRITTEN.put(part, json);
        }
        var file = Path.of("target", "conformance", "schemas.json");
        try {
            Files.createDirectories(file.getParent());
            JSON.writeValue(file.toFile(), WRITTEN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
