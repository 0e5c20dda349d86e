package dev.counterpoint.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.infra.LocalIssuer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What somebody who has just started the suite can do with it.
///
/// @param exports the variables of `.state/env`
/// @param model one that can be asked for, and what it says of itself
/// @param limits of the tenant whose keys these are, in words
/// @param logs where they are, or how they are shown
/// @param environment the file that a shell may source
/// @param stop how the suite is stopped
record StartupSummary(
        Map<String, String> exports,
        Optional<Model> model,
        Optional<String> limits,
        String logs,
        String environment,
        String stop) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final int MODEL_ATTEMPTS = 100;
    /// The same for a model of the `chat` engine that is being tried.
    private static final int TRIAL_ATTEMPTS = 900;
    private static final Duration MODEL_PAUSE = Duration.ofMillis(100);
    /// Longer than a worker's time between two heartbeats.
    private static final Duration BEATS = Duration.ofSeconds(1);

    private static final String NEXT_LINE = "\n            ";
    static final Predicate<String> ANY_MODEL = _ -> true;

    /// As [ServiceEnvironment] has them.
    private static final String ALIASES =
            NEXT_LINE + "each name that begins with gpt- stands for it too, because Codex asks for one";

    /// @param description a sentence for people, empty when there is none
    record Model(String id, String description) {
        /// A line for each part of the description.
        String text() {
            return id + "   " + description.replace("; ", NEXT_LINE);
        }
    }

    /// For a terminal: with the keys.
    String text() {
        return """

        Counterpoint is up.

          Page      %1$s/#key=%2$s   (asks and shows answers, in a browser)
          API       %1$s/v1   (OpenAI's API: use any OpenAI client with one of these keys)
          Key       %2$s   sees answers, and safe summaries of the reasoning
          Raw key   %3$s   also sees the raw chain of thought
          Audit     %4$s%11$s
          Model     %9$s
          Limits    %10$s

        Try it:

          curl -N %1$s/v1/responses \\
            -H 'Authorization: Bearer %2$s' -H 'Content-Type: application/json' \\
            -d '{"model": "%5$s", "input": "Why is the sky blue?", "stream": true,
              "reasoning": {"summary": "auto"}, "stream_options": {"include_obfuscation": false}}'

          With any OpenAI client:    source '%7$s', which sets OPENAI_BASE_URL and OPENAI_API_KEY
          Logs:                      %6$s
          Stop:                      %8$s
        """.formatted(
                exports.get("COUNTERPOINT_URL"),
                exports.get("COUNTERPOINT_API_KEY"),
                exports.get("COUNTERPOINT_RAW_API_KEY"),
                exports.get("COUNTERPOINT_AUDIT_URL"),
                model.map(Model::id).orElse("MODEL"),
                logs,
                environment,
                stop,
                model.map(one -> one.text() + ALIASES).orElse("none yet; /v1/models lists them once a worker has one"),
                limits.orElse("unknown; /admin/tenants tells them"),
                Optional.ofNullable(exports.get("COUNTERPOINT_CONSOLE_PASSWORD"))
                        .map(this::console)
                        .orElse(""));
    }

    /// A line of its own: the containers have no issuer for people.
    private String console(String password) {
        var people = LocalIssuer.PEOPLE.stream()
                .map(person -> person.name() + " " + person.task())
                .collect(Collectors.joining(", "));
        return "\n  Console   %s/console   (in a browser: %s; password %s)"
                .formatted(exports.get("COUNTERPOINT_AUDIT_URL"), people, password);
    }

    /// The same for a log, which must not hold a key.
    String logText() {
        return "Counterpoint is up at " + exports.get("COUNTERPOINT_URL") + "; its keys are in " + environment + ".\n";
    }

    /// Asks for ten seconds: a worker's first heartbeat may come a moment after it is ready.
    ///
    /// @param wanted the id of the model that the worker serves
    /// @param examines whether a worker still finds out what its servers are: then it waits up to 90 seconds more
    static Optional<Model> awaitModel(Map<String, String> exports, Predicate<String> wanted, BooleanSupplier examines) {
        var model = firstModel(exports, wanted);
        for (int attempt = 1; attempt < (model.isEmpty() ? MODEL_ATTEMPTS : TRIAL_ATTEMPTS); attempt++) {
            if (model.isPresent() && !examines.getAsBoolean()) {
                return attempt == 1 ? model : modelOfNextBeat(exports, wanted);
            }
            LockSupport.parkNanos(MODEL_PAUSE.toNanos());
            model = firstModel(exports, wanted);
        }
        return model;
    }

    /// What a worker found out is in the list of models after its next heartbeat.
    private static Optional<Model> modelOfNextBeat(Map<String, String> exports, Predicate<String> wanted) {
        LockSupport.parkNanos(BEATS.toNanos());
        return firstModel(exports, wanted);
    }

    static Optional<Model> awaitModel(Map<String, String> exports) {
        return awaitModel(exports, ANY_MODEL, () -> false);
    }

    /// The first such model that the gateway offers; empty when it offers none or does not answer.
    static Optional<Model> firstModel(Map<String, String> exports, Predicate<String> wanted) {
        return answer(exports, "/v1/models", "COUNTERPOINT_API_KEY").flatMap(body -> model(body, wanted));
    }

    /// The limits that hold for the keys of `exports`; empty when the gateway does not answer.
    static Optional<String> limits(Map<String, String> exports) {
        return answer(exports, "/admin/tenants", "COUNTERPOINT_ADMIN_TOKEN").flatMap(StartupSummary::limits);
    }

    private static Optional<String> answer(Map<String, String> exports, String path, String key) {
        var request = HttpRequest.newBuilder(URI.create(exports.get("COUNTERPOINT_URL") + path))
                .header("Authorization", "Bearer " + exports.get(key))
                .timeout(ANSWER_MAX)
                .build();
        try (var client = HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build()) {
            return Optional.of(client.send(request, BodyHandlers.ofString()).body());
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    static Optional<Model> model(String body, Predicate<String> wanted) {
        return data(body)
                .map(model -> new Model(
                        model.path("id").asText(), model.path("description").asText()))
                .filter(model -> wanted.test(model.id))
                .findFirst();
    }

    /// The limits of the launcher's tenant, which is the only one or the oldest.
    static Optional<String> limits(String tenants) {
        return data(tenants)
                .findFirst()
                .map(tenant -> limit(tenant.path("requests_per_minute").asText("null"), "requests a minute") + ", "
                        + limit(tenant.path("concurrent_streams").asText("null"), "responses at once")
                        + "; /admin/tenants changes them (docs/tenancy.md)");
    }

    private static Stream<JsonNode> data(String list) {
        try {
            return JSON.readTree(list).path("data").valueStream();
        } catch (JsonProcessingException noJson) {
            return Stream.empty();
        }
    }

    private static String limit(String most, String of) {
        return (most.equals("null") ? "any number of" : most) + " " + of;
    }
}
