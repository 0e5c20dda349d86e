package dev.counterpoint.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

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
    /// A model of the gateway's list as JSON, from its id on.
    private static final Pattern MODEL = Pattern.compile(
            "\"id\"\\s*:\\s*\"([^\"]+)\"(?:[^{}]*?\"description\"\\s*:\\s*\"((?:[^\"\\\\]++|\\\\.)*+)\")?");
    /// The limits of the launcher's tenant, which is the only one or the oldest.
    private static final Pattern LIMITS =
            Pattern.compile("\"requests_per_minute\"\\s*:\\s*(\\w+)[^{}]*?\"concurrent_streams\"\\s*:\\s*(\\w+)");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final int MODEL_ATTEMPTS = 100;
    /// The same for a model of the `chat` engine that is being tried.
    private static final int TRIAL_ATTEMPTS = 900;
    private static final Duration MODEL_PAUSE = Duration.ofMillis(100);

    /// @param description a sentence for people, empty when there is none
    record Model(String id, String description) {
        /// As `KnownModel` of the `chat` engine has it, and `RemoteEngine`.
        private static final List<String> BEING_ASKED =
                List.of("is being asked how it shows reasoning", "being asked what it is");
        /// Some of what the model says is not shown, because nothing tells it from reasoning.
        private static final String WITHHELD = "is withheld";
        /// Its servers could do more, or serve at all, if they were set up otherwise.
        private static final List<String> MISCONFIGURED =
                List.of("servers left out", "by worker.remote.context-length");

        private static final String NEXT_LINE = "\n            ";

        /// True if its worker finds out right now what the model's servers are.
        boolean isBeingAsked() {
            return BEING_ASKED.stream().anyMatch(description::contains);
        }

        /// A line for each thing that is known, and where to read on if something is to be done.
        String text() {
            var lines = new StringBuilder(id + "   " + description.replace("; ", NEXT_LINE));
            if (description.contains(WITHHELD)) {
                lines.append(NEXT_LINE).append("What to do: docs/chat-models.md");
            }
            if (MISCONFIGURED.stream().anyMatch(description::contains)) {
                lines.append(NEXT_LINE).append("What to do: docs/engines.md");
            }
            return lines.toString();
        }
    }

    /// For a terminal: with the keys.
    String text() {
        return """

        Counterpoint is up.

          API       %1$s/v1   (OpenAI's API: use any OpenAI client with one of these keys)
          Key       %2$s   sees answers, and safe summaries of the reasoning
          Raw key   %3$s   also sees the raw chain of thought
          Audit     %4$s
          Model     %9$s
          Limits    %10$s

        Try it:

          curl -N %1$s/v1/responses \\
            -H 'Authorization: Bearer %2$s' -H 'Content-Type: application/json' \\
            -d '{"model": "%5$s", "input": "Why is the sky blue?", "stream": true}'

          More settings and tokens:  source '%7$s'
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
                        model.map(Model::text).orElse("none yet; /v1/models lists them once a worker has one"),
                        limits.orElse("unknown; /admin/tenants tells them"));
    }

    /// The same for a log, which must not hold a key.
    String logText() {
        return "Counterpoint is up at " + exports.get("COUNTERPOINT_URL") + "; its keys stand in " + environment
                + ".\n";
    }

    /// As [#firstModel], asked for ten seconds: a worker's first beat may come a moment after it is ready.
    /// Asked for longer while that model is being tried.
    static Optional<Model> awaitModel(Map<String, String> exports) {
        var model = firstModel(exports);
        for (int attempt = 1; attempt < attempts(model); attempt++) {
            LockSupport.parkNanos(MODEL_PAUSE.toNanos());
            model = firstModel(exports);
        }
        return model;
    }

    /// @return 0 when there is nothing to wait for
    private static int attempts(Optional<Model> model) {
        if (model.isEmpty()) {
            return MODEL_ATTEMPTS;
        }
        return model.get().isBeingAsked() ? TRIAL_ATTEMPTS : 0;
    }

    /// The first model that the gateway offers; empty when it offers none or does not answer.
    static Optional<Model> firstModel(Map<String, String> exports) {
        return answer(exports, "/v1/models", "COUNTERPOINT_API_KEY").flatMap(StartupSummary::model);
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

    static Optional<Model> model(String body) {
        return MODEL.matcher(body)
                .results()
                .findFirst()
                .map(found -> new Model(
                        found.group(1),
                        ESCAPED.matcher(Objects.requireNonNullElse(found.group(2), ""))
                                .replaceAll("$1")));
    }

    static Optional<String> limits(String tenants) {
        return LIMITS.matcher(tenants)
                .results()
                .findFirst()
                .map(found -> limit(found.group(1), "requests a minute") + ", "
                        + limit(found.group(2), "responses at once")
                        + "; /admin/tenants changes them (docs/tenancy.md)");
    }

    private static String limit(String most, String of) {
        return (most.equals("null") ? "any number of" : most) + " " + of;
    }
}
