package dev.counterpoint.local.spans;

import java.util.Map;

/// A span as it reached the collector.
///
/// @param instance of the service: differs from process to process
/// @param parent id of its parent; empty for the first of a trace
/// @param kind OpenTelemetry's number of it
/// @param attributes their values as text
public record ExportedSpan(
        String service,
        String instance,
        String trace,
        String id,
        String parent,
        String name,
        int kind,
        long startNanos,
        long endNanos,
        Map<String, String> attributes) {
    public String attribute(String name) {
        return attributes.getOrDefault(name, "");
    }
}
