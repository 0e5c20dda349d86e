package dev.counterpoint.local.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Whether a worker's engine has what it computes with.
public final class EngineChecks {
    private static final Set<String> SERVERS = Set.of("vllm", "vllm-tokens", "sglang", "llama-server", "chat");
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final String MAGIC = "GGUF";
    /// Of a description, as `/v1/models` has it and as `up` prints it.
    private static final Pattern SENTENCES = Pattern.compile("; |\\R\\s*");

    private EngineChecks() {}

    public static List<Misconfiguration> look(DiagnosedService worker) {
        var engine = worker.setting("WORKER_ENGINE").orElse("");
        if (engine.equals("llama")) {
            return modelFile(worker).stream().toList();
        }
        return SERVERS.contains(engine) ? servers(worker) : List.of();
    }

    private static Optional<Misconfiguration> modelFile(DiagnosedService worker) {
        var file = worker.setting("WORKER_MODEL_PATH").map(Path::of);
        if (file.isPresent() && isModel(file.get())) {
            return Optional.empty();
        }
        return Optional.of(new Misconfiguration(
                "model-file",
                file.map(path -> path + " is not there, cannot be read or is no GGUF file")
                        .orElse("WORKER_MODEL_PATH is not set"),
                "give --model the GGUF file of a gpt-oss model"));
    }

    private static boolean isModel(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAGIC.length()), StandardCharsets.US_ASCII).equals(MAGIC);
        } catch (IOException no) {
            return false;
        }
    }

    private static List<Misconfiguration> servers(DiagnosedService worker) {
        var found = new ArrayList<Misconfiguration>();
        try (var http = HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build()) {
            for (var url : worker.setting("WORKER_ENGINE_URL").orElse("").split(",")) {
                if (!answers(http, url.strip())) {
                    found.add(new Misconfiguration(
                            "engine-silent",
                            url.isBlank()
                                    ? "WORKER_ENGINE_URL is not set"
                                    : DiagnosedService.shown(url.strip()) + " does not answer",
                            "start the model's server, or give --engine-url where it listens (without a path)"));
                }
            }
        }
        return List.copyOf(found);
    }

    /// Any answer will do: what the server is and can, a worker asks.
    private static boolean answers(HttpClient http, String url) {
        try {
            var request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_MAX).build();
            http.send(request, HttpResponse.BodyHandlers.discarding());
            return true;
        } catch (IOException | IllegalArgumentException no) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// What a running worker found out about its servers, which it tells with its model.
    ///
    /// @param description of the model, as `/v1/models` has it
    public static List<Misconfiguration> told(String description) {
        var found = new ArrayList<Misconfiguration>();
        if (description.contains("left out")) {
            found.add(new Misconfiguration(
                    "engine-unfit",
                    description,
                    "the worker asked the server and leaves it out for it; change the server, or --engine"));
        }
        Stream.of(SENTENCES.split(description))
                .filter(sentence -> sentence.contains("by worker.remote.context-length"))
                .findFirst()
                .map(sentence -> new Misconfiguration(
                        "engine-context",
                        sentence,
                        "start the server with a longer context (vLLM: --max-model-len, SGLang: --context-length,"
                                + " llama-server: --ctx-size, which its slots share), or set"
                                + " WORKER_REMOTE_CONTEXT_LENGTH to what it has"))
                .ifPresent(found::add);
        return List.copyOf(found);
    }
}
