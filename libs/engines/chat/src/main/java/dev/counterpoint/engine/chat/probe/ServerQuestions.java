package dev.counterpoint.engine.chat.probe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Asks a server who it is and what it serves. All of it is cheap for the server, and bounded in time.
///
/// Each kind has an address that the others do not know. LM Studio answers 200 to any, so members decide.
public final class ServerQuestions implements AutoCloseable {
    private static final String MODELS = "/v1/models";
    private static final String PROPERTIES = "/props";
    private static final String OLLAMA_VERSION = "/api/version";
    private static final String OLLAMA_MODEL = "/api/show";
    private static final String VLLM_VERSION = "/version";
    private static final String SGLANG_SERVER = "/get_server_info";
    private static final String STUDIO_MODELS = "/api/v0/models";
    /// The list of a provider with hundreds of models.
    private static final int BODY_BYTES_MAX = 8 << 20;
    /// Of one server; each may take a question of its own.
    private static final int MODELS_MAX = 32;
    /// Who owns the models of a Counterpoint gateway.
    private static final String OURS = "counterpoint";

    private final HttpClient client;
    private final @Nullable String apiKey;
    private final Duration answerTimeout;

    /// @param apiKey sent as bearer token; null sends none
    /// @param answerTimeout for each answer
    public ServerQuestions(@Nullable String apiKey, Duration answerTimeout) {
        this.apiKey = apiKey;
        this.answerTimeout = answerTimeout;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(answerTimeout)
                .build();
    }

    /// The replies to the questions that go to every server.
    private record Replies(
            ServerReply models,
            ServerReply properties,
            ServerReply ollama,
            ServerReply vllm,
            ServerReply sglang,
            ServerReply studio) {
        boolean certain() {
            return Stream.of(properties, ollama, vllm, sglang, studio).allMatch(ServerReply::certain);
        }
    }

    /// @param server its address, without the `/v1`
    /// @param model the name under which the server serves it
    /// @return empty when the server cannot be asked now
    public Optional<ServerFacts> ask(URI server, String model) throws InterruptedException {
        var replies = replies(server);
        return replies.models.ok() ? Optional.of(facts(new Asked(server, model), replies)) : Optional.empty();
    }

    /// What a server tells of each model in its list that makes text, the first ones of a long list. Empty when it
    /// cannot be asked now, or is a gateway of ours.
    public List<ServerFacts> askOfAll(URI server) throws InterruptedException {
        var replies = replies(server);
        var told = new ArrayList<ServerFacts>();
        for (var entry : replies.models.body().path("data")) {
            var id = entry.path("id").asText();
            var owner = ServerReply.word(entry.path("owned_by"));
            if (replies.models.ok() && !id.isEmpty() && !owner.equals(OURS) && told.size() < MODELS_MAX) {
                told.add(facts(new Asked(server, id), replies));
            }
        }
        told.removeIf(facts -> facts.settings().contains(ServerFacts.EMBEDS));
        return List.copyOf(told);
    }

    /// The question after one model of a server.
    private record Asked(URI server, String model) {
        /// The model in a list of models; null where it is not in it.
        private @Nullable JsonNode entry(JsonNode list) {
            return StreamSupport.stream(list.spliterator(), false)
                    .filter(entry -> {
                        var id = entry.path("id").asText();
                        // Ollama's name for a model without a tag.
                        return id.equals(model) || id.equals(model + ":latest");
                    })
                    .findFirst()
                    .orElse(null);
        }
    }

    private Replies replies(URI server) throws InterruptedException {
        var models = get(server, MODELS);
        var properties = get(server, PROPERTIES);
        var ollama = get(server, OLLAMA_VERSION);
        var vllm = get(server, VLLM_VERSION);
        var sglang = get(server, SGLANG_SERVER);
        var studio = get(server, STUDIO_MODELS);
        return new Replies(await(models), await(properties), await(ollama), await(vllm), await(sglang), await(studio));
    }

    private ServerFacts facts(Asked asked, Replies replies) throws InterruptedException {
        var model = asked.model;
        var entry = asked.entry(replies.models.body().path("data"));
        var listed = entry == null ? MissingNode.getInstance() : entry;
        var names = Stream.concat(words(listed, "root", "model_path").stream(), Stream.of(model))
                .distinct()
                .toList();
        // A list without entries says nothing of any model.
        boolean known = entry != null || replies.models.body().path("data").isEmpty();
        var facts = new ServerFacts(ServerKind.OTHER, "", model, known, names, List.of(), null, replies.certain());
        var owner = ServerReply.word(listed.path("owned_by"));
        if (!replies.ollama.word("/version").isEmpty()) {
            return ollama(facts, replies.ollama, await(show(asked)));
        }
        if (replies.properties.ok() && replies.properties.body().has("default_generation_settings")) {
            return llamaServer(facts, replies.properties);
        }
        if (replies.studio.ok() && replies.studio.body().path("data").isArray()) {
            var own = asked.entry(replies.studio.body().path("data"));
            var more = own == null ? List.<String>of() : words(own, "arch", "publisher");
            var told = of(facts, ServerKind.LM_STUDIO, "", more);
            return switch (own == null ? "" : own.path("type").asText()) {
                case "embeddings" -> with(told, List.of(ServerFacts.EMBEDS), null);
                case "vlm" -> with(told, List.of(ServerFacts.SEES), null);
                default -> told;
            };
        }
        if (owner.equals("sglang") || !replies.sglang.word("/reasoning_parser").isEmpty()) {
            var info = replies.sglang;
            var told = of(facts, ServerKind.SGLANG, info.word("/version"), List.of(info.word("/model_path")));
            var parser = info.word("/reasoning_parser");
            var parses = parser.isEmpty() ? "" : ServerFacts.PARSES + parser;
            return with(told, List.of(parses, info.word("/tool_call_parser")), null);
        }
        if (owner.equals("vllm") || !replies.vllm.word("/version").isEmpty()) {
            return of(facts, ServerKind.VLLM, replies.vllm.word("/version"), List.of());
        }
        if (!replies.models.proxyVersion().isEmpty()) {
            return of(facts, ServerKind.LITELLM, replies.models.proxyVersion(), List.of());
        }
        // The server of Python's own library, which mlx_lm is made of.
        return replies.models.program().startsWith("BaseHTTP") ? of(facts, ServerKind.MLX, "", List.of()) : facts;
    }

    private static ServerFacts ollama(ServerFacts facts, ServerReply version, ServerReply shown) {
        var names = List.of(shown.word("/details/family"), shown.word("/model_info/general.basename"));
        var told = of(facts, ServerKind.OLLAMA, version.word("/version"), names);
        var abilities = new ArrayList<String>();
        shown.body().path("capabilities").forEach(ability -> abilities.add(ServerReply.word(ability)));
        if (!abilities.isEmpty() && !abilities.contains("completion")) {
            abilities.add(ServerFacts.EMBEDS);
        }
        // Where it has these they decide, and not the template.
        abilities.addAll(words(shown.body(), "renderer", "parser"));
        var template = shown.ok() ? shown.body().path("template").asText("") : "";
        var all = with(told, abilities, template.isBlank() ? null : template);
        return shown.certain() ? all : all.incomplete();
    }

    private static ServerFacts llamaServer(ServerFacts facts, ServerReply properties) {
        var file = properties.word("/model_path").replaceFirst(".*[/\\\\]", "");
        var told = of(facts, ServerKind.LLAMA_SERVER, properties.word("/build_info"), List.of(file));
        var template = properties.body().path("chat_template").asText("");
        var format = properties.word("/default_generation_settings/params/reasoning_format");
        var sees = properties.body().at("/modalities/vision").asBoolean() ? ServerFacts.SEES : "";
        return with(told, List.of(format, sees), template.isBlank() ? null : template);
    }

    /// @param names more of the model's names
    private static ServerFacts of(ServerFacts facts, ServerKind kind, String version, List<String> names) {
        var all = Stream.concat(facts.names().stream(), names.stream())
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        return new ServerFacts(
                kind,
                version,
                facts.model(),
                facts.listed(),
                all,
                facts.settings(),
                facts.template(),
                facts.complete());
    }

    private static ServerFacts with(ServerFacts facts, List<String> settings, @Nullable String template) {
        var set = settings.stream().filter(setting -> !setting.isEmpty()).toList();
        return new ServerFacts(
                facts.kind(),
                facts.version(),
                facts.model(),
                facts.listed(),
                facts.names(),
                set,
                template,
                facts.complete());
    }

    private static List<String> words(JsonNode entry, String... members) {
        return Stream.of(members)
                .map(member -> ServerReply.word(entry.path(member)))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private CompletableFuture<ServerReply> get(URI server, String path) {
        return send(to(server, path).GET().build());
    }

    private CompletableFuture<ServerReply> show(Asked asked) {
        var body =
                JsonNodeFactory.instance.objectNode().put("model", asked.model).toString();
        return send(to(asked.server, OLLAMA_MODEL)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    private HttpRequest.Builder to(URI server, String path) {
        var request = HttpRequest.newBuilder(URI.create(server + path)).timeout(answerTimeout);
        return apiKey == null ? request : request.header("Authorization", "Bearer " + apiKey);
    }

    /// @return what completes with no reply where there is none
    private CompletableFuture<ServerReply> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_BYTES_MAX))
                .handle((response, _) -> response == null ? ServerReply.NONE : ServerReply.of(response))
                .completeOnTimeout(ServerReply.NONE, answerTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ServerReply await(CompletableFuture<ServerReply> reply) throws InterruptedException {
        try {
            return Objects.requireNonNull(reply.get());
        } catch (ExecutionException e) {
            return ServerReply.NONE;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
