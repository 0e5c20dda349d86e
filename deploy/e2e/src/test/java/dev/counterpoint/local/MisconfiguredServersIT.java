package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.local.SurveyedServer.Fault;
import dev.counterpoint.local.SurveyedServer.Kind;
import dev.counterpoint.local.doctor.EngineChecks;
import dev.counterpoint.local.doctor.Misconfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every misconfiguration of every kind of server: the worker's log, `/v1/models`, `up` and `doctor` call it by name.
/// Each kind has a worker, and each fault a server of that worker's.
@Timeout(240)
class MisconfiguredServersIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final String OTHER_MODEL = "serves " + SurveyedServer.OTHER_MODEL + " and not "
            + SurveyedServer.MODEL + ", the name in worker.remote.upstream-model";
    private static final String NO_KEY = "wants a key, and worker.remote.api-key is not set (HTTP 401)";
    private static final String OTHER_KEY = "wants another key than the one of worker.remote.api-key (HTTP 401)";
    private static final String NOT_HARMONY =
            "has a model that is not gpt-oss: Harmony's marks are no tokens of it; worker.engine=chat"
                    + " serves such models";

    @TempDir
    private static Path folder;

    private static final Map<Kind, Map<Fault, SurveyedServer>> SERVERS = new EnumMap<>(Kind.class);
    private static LaunchedSuite suite;

    @BeforeAll
    static void start() {
        var workers = new HashMap<String, Map<String, String>>();
        for (var kind : Kind.values()) {
            var servers = new LinkedHashMap<Fault, SurveyedServer>();
            faults(kind).forEach(fault -> servers.put(fault, new SurveyedServer(kind, fault)));
            SERVERS.put(kind, servers);
            workers.put(worker(kind), settings(kind, servers));
        }
        suite = LaunchedSuite.start(
                folder,
                new SuiteWiring(workers),
                // Any engine: each worker is told its own.
                "--engine",
                "llama",
                "--model",
                folder.toString(),
                "--workers",
                String.valueOf(workers.size()));
        suite.awaitReady();
    }

    @AfterAll
    static void stop() {
        suite.close();
        SERVERS.values().forEach(servers -> servers.values().forEach(SurveyedServer::close));
    }

    /// All servers of one worker are misconfigured, the others' have one that serves.
    private static List<Fault> faults(Kind kind) {
        return kind == Kind.VLLM_TOKENS ? List.of(Fault.WRONG_FLAG, Fault.WANTS_KEY) : List.of(Fault.values());
    }

    private static Map<String, String> settings(Kind kind, Map<Fault, SurveyedServer> servers) {
        var settings = new HashMap<String, String>();
        settings.put("WORKER_ENGINE", kind.engine);
        settings.put("WORKER_MODEL_NAME", model(kind));
        settings.put("WORKER_REMOTE_UPSTREAM_MODEL", SurveyedServer.MODEL);
        settings.put(
                "WORKER_ENGINE_URL",
                servers.values().stream()
                        .map(server -> server.address().toString())
                        .collect(Collectors.joining(",")));
        if (kind == Kind.VLLM_TOKENS) {
            settings.put("WORKER_REMOTE_API_KEY", "wrong");
        }
        return settings;
    }

    private static String worker(Kind kind) {
        return "worker-" + (kind.ordinal() + 1);
    }

    private static String model(Kind kind) {
        return "by-" + kind.engine;
    }

    /// What is said of the servers that are left out.
    private static Map<Fault, String> said(Kind kind) {
        var flag = switch (kind) {
            case VLLM -> "has no /v1/completions (HTTP 404): start a vLLM that generates, without --runner pooling";
            case VLLM_TOKENS ->
                "keeps /inference/v1/generate closed (HTTP 403): start it with --enable-scale-out,"
                        + " or take worker.engine=vllm";
            case SGLANG -> "does not serve as SGLang does: /generate fails, the server answered with HTTP 404";
            case LLAMA_SERVER ->
                "does not serve as llama-server does: /completion fails, the server answered with HTTP 501";
            case CHAT ->
                "has no /v1/chat/completions (HTTP 404): worker.engine=chat is for servers of Chat Completions";
        };
        return switch (kind) {
            case VLLM_TOKENS -> Map.of(Fault.WRONG_FLAG, flag, Fault.WANTS_KEY, OTHER_KEY);
            // Any model will do.
            case CHAT -> Map.of(Fault.WRONG_FLAG, flag, Fault.WRONG_MODEL, OTHER_MODEL, Fault.WANTS_KEY, NO_KEY);
            case VLLM, SGLANG, LLAMA_SERVER ->
                Map.of(
                        Fault.WRONG_FLAG,
                        flag,
                        Fault.WRONG_MODEL,
                        OTHER_MODEL,
                        Fault.WANTS_KEY,
                        NO_KEY,
                        Fault.NOT_HARMONY,
                        NOT_HARMONY);
        };
    }

    private static int smallContext(Kind kind) {
        // SGLang keeps places free.
        return kind == Kind.SGLANG ? SurveyedServer.SMALL - 6 : SurveyedServer.SMALL;
    }

    private static Stream<String> sentences(Kind kind) {
        var small = "context of " + smallContext(kind) + " tokens by a server, 131072 by worker.remote.context-length";
        var said = said(kind).values().stream();
        return kind == Kind.VLLM_TOKENS ? said : Stream.concat(said, Stream.of(small));
    }

    /// Once its worker has asked every server.
    private static String listed(Kind kind) throws IOException, InterruptedException {
        var all = "%d of %d servers left out"
                .formatted(said(kind).size(), faults(kind).size());
        var body = get("/v1/models/" + model(kind));
        while (!body.contains(all) || body.contains("is being asked")) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            body = get("/v1/models/" + model(kind));
        }
        return body;
    }

    private static String get(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(suite.gateway() + path))
                .header("Authorization", "Bearer " + suite.export("COUNTERPOINT_API_KEY"))
                .timeout(ANSWER_MAX)
                .build();
        return HTTP.send(request, BodyHandlers.ofString()).body();
    }

    @ParameterizedTest
    @EnumSource
    void theListOfModelsSaysWhatIsWrong(Kind kind) throws Exception {
        JsonNode model = JSON.readTree(listed(kind));

        assertThat(model.path("description").asText())
                .contains(sentences(kind).toList())
                .doesNotContain("127.0.0.1");
        assertThat(model.path("context_length").asInt())
                .isEqualTo(kind == Kind.VLLM_TOKENS ? 131_072 : smallContext(kind));
    }

    @ParameterizedTest
    @EnumSource
    void theWorkersLogNamesEachServer(Kind kind) throws Exception {
        listed(kind);

        var lines = Files.readAllLines(suite.logs().resolve(worker(kind) + ".log"));

        var servers = Objects.requireNonNull(SERVERS.get(kind));
        said(kind)
                .forEach((fault, sentence) -> assertThat(lines)
                        .anySatisfy(line -> assertThat(line)
                                .contains("server is left out address=" + address(servers, fault) + " ")
                                .contains(sentence)));
        if (kind != Kind.VLLM_TOKENS) {
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line)
                            .contains("server address=" + address(servers, Fault.SMALL_CONTEXT) + " warning=")
                            .contains("context of " + smallContext(kind) + " tokens by a server"));
        }
    }

    private static URI address(Map<Fault, SurveyedServer> servers, Fault fault) {
        return Objects.requireNonNull(servers.get(fault)).address();
    }

    @ParameterizedTest
    @EnumSource
    void upAndDoctorSayIt(Kind kind) throws Exception {
        var model = StartupSummary.model(listed(kind)).orElseThrow();

        // As `up` prints it, each part in a line of its own.
        assertThat(sentences(kind).flatMap(sentence -> Stream.of(sentence.split("; "))))
                .allSatisfy(part -> assertThat(model.text()).contains(part));
        assertThat(model.text()).endsWith("What to do: docs/engines.md");
        var found = EngineChecks.told(model.text()).stream()
                .map(Misconfiguration::name)
                .toList();
        assertThat(found)
                .isEqualTo(
                        kind == Kind.VLLM_TOKENS ? List.of("engine-unfit") : List.of("engine-unfit", "engine-context"));
    }

    /// The suite starts nevertheless: its worker waits for servers that are mended.
    @Test
    void upEndsWithIt() throws Exception {
        for (var kind : Kind.values()) {
            listed(kind);
        }

        assertThat(suite.summary())
                .contains("Counterpoint is up.")
                .contains("servers left out, because one ")
                .contains("What to do: docs/engines.md");
    }
}
