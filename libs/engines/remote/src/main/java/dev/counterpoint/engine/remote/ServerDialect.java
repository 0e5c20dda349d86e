package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The wire format of one kind of server, with the fields that several have in common. Thread-safe.
public abstract sealed class ServerDialect permits VllmDialect, SglangDialect, LlamaServerDialect {
    /// Path below a server's address that answers 200 while the server is well, with every dialect.
    public static final String HEALTH_PATH = "/health";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String server;
    private final String path;
    private final GrammarNotation notation;

    /// @param server its name, for people
    /// @param path below a server's address, to which requests are posted
    /// @param notation how its servers write grammars
    ServerDialect(String server, String path, GrammarNotation notation) {
        this.server = server;
        this.path = path;
        this.notation = notation;
    }

    final String server() {
        return server;
    }

    final String path() {
        return path;
    }

    final GrammarNotation notation() {
        return notation;
    }

    /// The facts that a server reports.
    ///
    /// @throws ServerFailure when the server's configuration keeps it from serving
    abstract ServerProfile profile(ServerQuestioning questions) throws ServerFailure, InterruptedException;

    /// Why a server cannot serve that fails in the smallest request, for its operator.
    String refusal(ServerFailure failure) {
        return "does not serve as " + server + " does: " + path + " fails, " + failure.getMessage();
    }

    /// Whether a server may order requests by a priority; whether it does is tried.
    boolean mayOrder() {
        return false;
    }

    /// Whether the server sends the usage in one more event after the end of an output.
    boolean tellsUsageAtTheEnd() {
        return false;
    }

    abstract ObjectNode request(ServerRequest ask);

    /// Reads an event of an answer.
    ///
    /// @param event the JSON after `data:`
    /// @param seen tokens of the answer in the events before
    /// @throws ServerFailure when this is no event of such a server, or one that tells of an error
    abstract TokenChunk read(JsonNode event, ServerRequest ask, int seen) throws ServerFailure;

    final TokenChunk read(String event, ServerRequest ask, int seen) throws ServerFailure {
        try {
            return read(JSON.readTree(event), ask, seen);
        } catch (JsonProcessingException e) {
            throw ServerFailure.wrong("an event is not JSON");
        }
    }

    static void addIds(ObjectNode to, String name, ServerRequest ask) {
        var ids = to.putArray(name);
        for (int id : ask.ids()) {
            ids.add(id);
        }
    }

    static void addCommonSampling(ObjectNode to, ServerRequest ask) {
        var sampling = ask.sampling();
        to.put("temperature", sampling.temperature());
        to.put("top_p", sampling.topP());
        to.put("min_p", sampling.minP());
        to.put("presence_penalty", sampling.presencePenalty());
        to.put("frequency_penalty", sampling.frequencyPenalty());
    }

    /// Of vLLM and SGLang: what the model's `generation_config.json` could set otherwise, and the stop tokens.
    static void addPythonSampling(ObjectNode to, ServerRequest ask) {
        to.put("top_k", -1);
        to.put("repetition_penalty", 1.0);
        to.put("skip_special_tokens", false);
        var stops = to.putArray("stop_token_ids");
        ask.stopTokens().stream().sorted().forEach(stops::add);
    }

    static void addPriority(ObjectNode to, ServerRequest ask) {
        if (ask.priority() != null) {
            to.put("priority", ask.priority());
        }
    }

    static void addBias(ObjectNode to, Map<Integer, Double> bias) {
        if (!bias.isEmpty()) {
            var field = to.putObject("logit_bias");
            bias.forEach((token, value) -> field.put(token.toString(), value));
        }
    }

    /// For a server that takes no list of allowed tokens: lifts them above all others.
    ///
    /// @param force of the bias that does so
    static void lift(Map<Integer, Double> bias, ServerRequest ask, double force) {
        if (!ask.only().isEmpty()) {
            bias.keySet().retainAll(ask.only());
            ask.only().forEach(token -> bias.merge(token, force, Double::sum));
        }
    }

    /// A number of tokens, or null where the server does not tell.
    static @Nullable Integer count(JsonNode value) {
        return value.isInt() && value.intValue() >= 0 ? Integer.valueOf(value.intValue()) : null;
    }

    /// What an error inside a stream of status 200 means.
    static ServerFailure error(JsonNode error) {
        int code = error.path("code").asInt();
        return code == 0
                ? ServerFailure.broken("the server reports an error")
                : ServerFailure.reported(code, error.path("message").asText());
    }

    /// Why an output ends, in the words of vLLM and SGLang or of llama-server.
    static TokenChunk.Finish finish(JsonNode reason) throws ServerFailure {
        return switch (reason.asText("")) {
            case "" -> TokenChunk.Finish.NONE;
            case "stop", "eos", "word" -> TokenChunk.Finish.STOP;
            case "length", "limit" -> TokenChunk.Finish.LENGTH;
            case "abort" -> throw ServerFailure.broken("the server aborted the request");
            default -> throw ServerFailure.wrong("the server stopped for a reason that is not known here");
        };
    }
}
