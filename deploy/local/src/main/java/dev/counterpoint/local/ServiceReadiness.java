package dev.counterpoint.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The readiness data of a service that the launcher reads: by fixed codes, never by sentences.
///
/// @param misconfigurations texts by code, as `docs/operations.md` lists them
/// @param examinesEngine whether a worker still finds out what its servers are
record ServiceReadiness(Map<String, String> misconfigurations, boolean examinesEngine) {
    static final String PATH = "/q/health/ready";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Empty when the service does not answer.
    static Optional<ServiceReadiness> ask(URI address) {
        var request = HttpRequest.newBuilder(address).timeout(ANSWER_MAX).build();
        try (var client = HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build()) {
            return parse(client.send(request, BodyHandlers.ofString()).body());
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    static Optional<ServiceReadiness> parse(String body) {
        try {
            var found = new TreeMap<String, String>();
            boolean examines = false;
            for (JsonNode check : JSON.readTree(body).path("checks")) {
                var data = check.path("data");
                switch (check.path("name").asText()) {
                    case "configuration" ->
                        data.properties()
                                .forEach(each ->
                                        found.put(each.getKey(), each.getValue().asText()));
                    case "takes jobs" -> examines = data.path("examines engine").asBoolean();
                    default -> {}
                }
            }
            return Optional.of(new ServiceReadiness(found, examines));
        } catch (JsonProcessingException noJson) {
            return Optional.empty();
        }
    }

    List<String> lines() {
        return misconfigurations.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .toList();
    }

    /// For the end of a start: a line for each misconfiguration of each service, and where to read on.
    ///
    /// @param services by name
    static String text(Map<String, ServiceReadiness> services) {
        var lines = services.entrySet().stream()
                .flatMap(service ->
                        service.getValue().lines().stream().map(line -> "  " + service.getKey() + "  " + line))
                .collect(Collectors.joining("\n"));
        return lines.isEmpty()
                ? ""
                : "\nReported by services (what to do: docs/operations.md#misconfigurations):\n" + lines + "\n";
    }
}
