package dev.counterpoint.local.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;

/// The metrics of a suite's services. Thread-safe.
///
/// @param services by name
record SuiteMetrics(Map<String, URI> services) {
    /// The sum of one metric of one service.
    ///
    /// @param label that stands in its lines, as in `topic="frames"`; empty for any
    double of(String service, String metric, String label) {
        try (var answer = services.get(service).resolve("/q/metrics").toURL().openStream()) {
            return new String(answer.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(metric) && line.contains(label))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The sum of one metric of all services.
    double ofAll(String metric) {
        return services.keySet().stream()
                .mapToDouble(service -> of(service, metric, ""))
                .sum();
    }
}
