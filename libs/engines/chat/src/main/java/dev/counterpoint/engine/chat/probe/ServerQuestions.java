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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    private record Replies(Map<String, UpstreamReply> byPath) {
        UpstreamReply of(String path) {
            return byPath.getOrDefault(path, UpstreamReply.NONE);
        }

        JsonNode at(String path, String member) {
            return of(path).json().path(member);
        }

        String word(String path, String member) {
            return ServerQuestions.word(at(path, member));
        }

        /// True if the server would reply so again: each reply came in time, and it was not overloaded.
        boolean certain() {
            return byPath.values().stream().allMatch(UpstreamReply::certain);
        }
    }

    /// The facts that a server of some kind reports beside its list of models.
    ///
    /// @param names further names of the model
    /// @param template chat template; blank when the server reports none
    private record Told(ServerKind kind, String version, List<String> names, List<String> settings, String template) {}

    /// @param server its address, without the `/v1`
    /// @param model the name under which the server serves it
    /// @return empty when the server cannot be asked now
    public Optional<ServerFacts> ask(URI server, String model) throws InterruptedException {
        var replies = replies(server);
        return replies.of(MODELS).ok() ? Optional.of(facts(server, model, replies)) : Optional.empty();
    }

    /// The facts that a server reports about the text models in its list; of a long list only the first ones. Empty
    /// when the server cannot answer now or is a Counterpoint gateway.
    public List<ServerFacts> askOfAll(URI server) throws InterruptedException {
        var replies = replies(server);
        var told = new ArrayList<ServerFacts>();
        for (var entry : replies.at(MODELS, DATA)) {
            var id = entry.path("id").asText();
            var owner = word(entry.path("owned_by"));
            if (!id.isEmpty() && !owner.equals(OURS) && told.size() < MODELS_MAX) {
                told.add(facts(server, id, replies));
            }
        }
        told.removeIf(facts -> facts.settings().contains(ServerFacts.EMBEDS));
        return List.copyOf(told);
    }

    /// The entry of a model in a list of models; missing where it is not in it.
    public static JsonNode entry(JsonNode list, String model) {
        return list.valueStream()
                .filter(entry -> {
                    var id = entry.path("id").asText();
                    // Ollama's name for a model without a tag.
                    return id.equals(model) || id.equals(model + ":latest");
                })
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private Replies replies(URI server) throws InterruptedException {
        var asked = new HashMap<String, CompletableFuture<UpstreamReply>>();
        for (var path : List.of(MODELS, PROPERTIES, OLLAMA_VERSION, VLLM_VERSION, SGLANG_SERVER, STUDIO_MODELS)) {
            asked.put(path, UpstreamReply.ask(client, to(server, path), answerTimeout));
        }
        var replies = new HashMap<String, UpstreamReply>();
        for (var question : asked.entrySet()) {
            replies.put(question.getKey(), await(question.getValue()));
        }
        return new Replies(replies);
    }

    private ServerFacts facts(URI server, String model, Replies replies) throws InterruptedException {
        var list = replies.at(MODELS, DATA);
        var listed = entry(list, model);
        boolean ollama = !replies.word(OLLAMA_VERSION, VERSION).isEmpty();
        if (ollama) {
            replies.byPath.put(OLLAMA_MODEL, await(show(server, model)));
        }
        var told = ollama ? ollama(replies) : told(model, word(listed.path("owned_by")), replies);
        return new ServerFacts(
                told.kind,
                told.version,
                model,
                // A list without entries says nothing of any model.
                !listed.isMissingNode() || list.isEmpty(),
                Stream.of(words(listed, "root", "model_path"), List.of(model), told.names)
                        .flatMap(List::stream)
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList(),
                told.settings.stream().filter(setting -> !setting.isEmpty()).toList(),
                told.template.isBlank() ? null : told.template,
                replies.certain());
    }

    private static Told told(String model, String owner, Replies replies) {
        if (!replies.at(PROPERTIES, "default_generation_settings").isMissingNode()) {
            return llamaServer(replies.of(PROPERTIES).json());
        }
        if (replies.at(STUDIO_MODELS, DATA).isArray()) {
            var own = entry(replies.at(STUDIO_MODELS, DATA), model);
            var setting = switch (own.path("type").asText()) {
                case "embeddings" -> ServerFacts.EMBEDS;
                case "vlm" -> ServerFacts.SEES;
                default -> "";
            };
            return new Told(ServerKind.LM_STUDIO, "", words(own, "arch", "publisher"), List.of(setting), "");
        }
        var parser = replies.word(SGLANG_SERVER, "reasoning_parser");
        if (owner.equals("sglang") || !parser.isEmpty()) {
            var parses = parser.isEmpty() ? "" : ServerFacts.PARSES + parser;
            return new Told(
                    ServerKind.SGLANG,
                    replies.word(SGLANG_SERVER, VERSION),
                    List.of(replies.word(SGLANG_SERVER, "model_path")),
                    List.of(parses, replies.word(SGLANG_SERVER, "tool_call_parser")),
                    "");
        }
        if (owner.equals("vllm") || !replies.word(VLLM_VERSION, VERSION).isEmpty()) {
            return new Told(ServerKind.VLLM, replies.word(VLLM_VERSION, VERSION), List.of(), List.of(), "");
        }
        var proxy = plain(replies.of(MODELS).head("x-litellm-version"));
        // The server of Python's own library, which mlx_lm is made of.
        boolean python = replies.of(MODELS).head("server").startsWith("BaseHTTP");
        var kind = !proxy.isEmpty() ? ServerKind.LITELLM : python ? ServerKind.MLX : ServerKind.OTHER;
        return new Told(kind, proxy, List.of(), List.of(), "");
    }

    private static Told ollama(Replies replies) {
        var shown = replies.of(OLLAMA_MODEL).json();
        var settings = new ArrayList<String>();
        shown.path("capabilities").forEach(ability -> settings.add(word(ability)));
        if (!settings.isEmpty() && !settings.contains("completion")) {
            settings.add(ServerFacts.EMBEDS);
        }
        // Where it has these they decide, and not the template.
        settings.addAll(words(shown, "renderer", "parser"));
        var names = List.of(word(shown.at("/details/family")), word(shown.at("/model_info/general.basename")));
        var version = replies.word(OLLAMA_VERSION, VERSION);
        return new Told(
                ServerKind.OLLAMA,
                version,
                names,
                settings,
                shown.path("template").asText(""));
    }

    private static Told llamaServer(JsonNode properties) {
        var file = word(properties.path("model_path")).replaceFirst(".*[/\\\\]", "");
        var format = word(properties.at("/default_generation_settings/params/reasoning_format"));
        var sees = properties.at("/modalities/vision").asBoolean() ? ServerFacts.SEES : "";
        return new Told(
                ServerKind.LLAMA_SERVER,
                word(properties.path("build_info")),
                List.of(file),
                List.of(format, sees),
                properties.path("chat_template").asText(""));
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

    private CompletableFuture<UpstreamReply> show(URI server, String model) {
        var body = JsonNodeFactory.instance.objectNode().put("model", model).toString();
        var question = to(server, OLLAMA_MODEL)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        return UpstreamReply.ask(client, question, answerTimeout);
    }

    private HttpRequest.Builder to(URI server, String path) {
        var request = HttpRequest.newBuilder(URI.create(server + path));
        return apiKey == null ? request : request.header("Authorization", "Bearer " + apiKey);
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
