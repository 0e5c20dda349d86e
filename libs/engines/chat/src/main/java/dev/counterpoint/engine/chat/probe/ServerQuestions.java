package dev.counterpoint.engine.chat.probe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.counterpoint.engine.http.UpstreamReply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
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
    private static final String DATA = "data";
    private static final String VERSION = "version";
    /// Longest text of a server that is logged or printed.
    private static final int WORD_CHARACTERS_MAX = 100;

    private static final Pattern UNWANTED = Pattern.compile("[^\\p{L}\\p{N} ._:/@+()\\[\\]-]");
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
    ///
    /// @param models the list of its models
    /// @param bodies by path; missing where a reply was no JSON
    /// @param certain whether the server would reply so again: each reply came in time, and it was not overloaded
    private record Replies(UpstreamReply models, Map<String, JsonNode> bodies, boolean certain) {
        JsonNode at(String path, String member) {
            return bodies.getOrDefault(path, MissingNode.getInstance()).path(member);
        }

        String word(String path, String member) {
            return ServerQuestions.word(at(path, member));
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
        for (var entry : replies.at(MODELS, DATA)) {
            var id = entry.path("id").asText();
            var owner = word(entry.path("owned_by"));
            if (!id.isEmpty() && !owner.equals(OURS) && told.size() < MODELS_MAX) {
                told.add(facts(new Asked(server, id), replies));
            }
        }
        told.removeIf(facts -> facts.settings().contains(ServerFacts.EMBEDS));
        return List.copyOf(told);
    }

    private record Asked(URI server, String model) {}

    /// The entry of a model in a list of models; missing where it is not in it.
    public static JsonNode entry(JsonNode list, String model) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(entry -> {
                    var id = entry.path("id").asText();
                    // Ollama's name for a model without a tag.
                    return id.equals(model) || id.equals(model + ":latest");
                })
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private Replies replies(URI server) throws InterruptedException {
        var asked = new LinkedHashMap<String, CompletableFuture<UpstreamReply>>();
        for (var path : List.of(MODELS, PROPERTIES, OLLAMA_VERSION, VLLM_VERSION, SGLANG_SERVER, STUDIO_MODELS)) {
            asked.put(path, send(to(server, path)));
        }
        var models = UpstreamReply.NONE;
        var bodies = new HashMap<String, JsonNode>();
        boolean certain = true;
        for (var question : asked.entrySet()) {
            var reply = await(question.getValue());
            bodies.put(question.getKey(), reply.json());
            models = question.getKey().equals(MODELS) ? reply : models;
            certain &= question.getKey().equals(MODELS) || reply.certain();
        }
        return new Replies(models, bodies, certain);
    }

    private ServerFacts facts(Asked asked, Replies replies) throws InterruptedException {
        var model = asked.model;
        var list = replies.at(MODELS, DATA);
        var listed = entry(list, model);
        var names = Stream.concat(words(listed, "root", "model_path").stream(), Stream.of(model))
                .distinct()
                .toList();
        // A list without entries says nothing of any model.
        boolean known = !listed.isMissingNode() || list.isEmpty();
        var facts = new ServerFacts(ServerKind.OTHER, "", model, known, names, List.of(), null, replies.certain);
        var owner = word(listed.path("owned_by"));
        if (!replies.word(OLLAMA_VERSION, VERSION).isEmpty()) {
            return ollama(facts, replies.word(OLLAMA_VERSION, VERSION), await(show(asked)));
        }
        if (!replies.at(PROPERTIES, "default_generation_settings").isMissingNode()) {
            return llamaServer(facts, replies.bodies.getOrDefault(PROPERTIES, listed));
        }
        if (replies.at(STUDIO_MODELS, DATA).isArray()) {
            var own = entry(replies.at(STUDIO_MODELS, DATA), model);
            var told = of(facts, ServerKind.LM_STUDIO, "", words(own, "arch", "publisher"));
            return switch (own.path("type").asText()) {
                case "embeddings" -> with(told, List.of(ServerFacts.EMBEDS), null);
                case "vlm" -> with(told, List.of(ServerFacts.SEES), null);
                default -> told;
            };
        }
        var parser = replies.word(SGLANG_SERVER, "reasoning_parser");
        if (owner.equals("sglang") || !parser.isEmpty()) {
            var path = replies.word(SGLANG_SERVER, "model_path");
            var told = of(facts, ServerKind.SGLANG, replies.word(SGLANG_SERVER, VERSION), List.of(path));
            var parses = parser.isEmpty() ? "" : ServerFacts.PARSES + parser;
            return with(told, List.of(parses, replies.word(SGLANG_SERVER, "tool_call_parser")), null);
        }
        if (owner.equals("vllm") || !replies.word(VLLM_VERSION, VERSION).isEmpty()) {
            return of(facts, ServerKind.VLLM, replies.word(VLLM_VERSION, VERSION), List.of());
        }
        var proxy = plain(replies.models.head("x-litellm-version"));
        if (!proxy.isEmpty()) {
            return of(facts, ServerKind.LITELLM, proxy, List.of());
        }
        // The server of Python's own library, which mlx_lm is made of.
        return replies.models.head("server").startsWith("BaseHTTP") ? of(facts, ServerKind.MLX, "", List.of()) : facts;
    }

    private static ServerFacts ollama(ServerFacts facts, String version, UpstreamReply reply) {
        var shown = reply.json();
        var names = List.of(word(shown.at("/details/family")), word(shown.at("/model_info/general.basename")));
        var told = of(facts, ServerKind.OLLAMA, version, names);
        var abilities = new ArrayList<String>();
        shown.path("capabilities").forEach(ability -> abilities.add(word(ability)));
        if (!abilities.isEmpty() && !abilities.contains("completion")) {
            abilities.add(ServerFacts.EMBEDS);
        }
        // Where it has these they decide, and not the template.
        abilities.addAll(words(shown, "renderer", "parser"));
        var all = with(told, abilities, shown.path("template").asText(""));
        return reply.certain() ? all : all.incomplete();
    }

    private static ServerFacts llamaServer(ServerFacts facts, JsonNode properties) {
        var file = word(properties.path("model_path")).replaceFirst(".*[/\\\\]", "");
        var told = of(facts, ServerKind.LLAMA_SERVER, word(properties.path("build_info")), List.of(file));
        var format = word(properties.at("/default_generation_settings/params/reasoning_format"));
        var sees = properties.at("/modalities/vision").asBoolean() ? ServerFacts.SEES : "";
        return with(
                told, List.of(format, sees), properties.path("chat_template").asText(""));
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
                template == null || template.isBlank() ? null : template,
                facts.complete());
    }

    private static List<String> words(JsonNode entry, String... members) {
        return Stream.of(members)
                .map(member -> word(entry.path(member)))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static String word(JsonNode node) {
        return node.isTextual() ? plain(node.textValue()) : "";
    }

    private static String plain(String text) {
        var plain = UNWANTED.matcher(text).replaceAll("").strip();
        return plain.length() > WORD_CHARACTERS_MAX ? plain.substring(0, WORD_CHARACTERS_MAX) : plain;
    }

    private CompletableFuture<UpstreamReply> show(Asked asked) {
        var body =
                JsonNodeFactory.instance.objectNode().put("model", asked.model).toString();
        return send(to(asked.server, OLLAMA_MODEL)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder to(URI server, String path) {
        var request = HttpRequest.newBuilder(URI.create(server + path));
        return apiKey == null ? request : request.header("Authorization", "Bearer " + apiKey);
    }

    private CompletableFuture<UpstreamReply> send(HttpRequest.Builder request) {
        return UpstreamReply.ask(client, request, answerTimeout);
    }

    private static UpstreamReply await(CompletableFuture<UpstreamReply> reply) throws InterruptedException {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            return UpstreamReply.NONE;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
