package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.counterpoint.engine.chat.probe.ServerQuestions;
import dev.counterpoint.engine.http.ServerExaminer;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamEngine;
import dev.counterpoint.engine.http.UpstreamReply;
import dev.counterpoint.engine.http.UpstreamServer;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks servers whether they take our key and serve our model, when the engine begins and whenever one comes back, so
/// that what would be refused with every job is told before the first. Thread-safe.
///
/// Lists are open to everybody on some servers (llama-server, OpenRouter), and lack names that the server takes on
/// others. So a server is asked for one token, unless it would have to load the model for that.
final class ChatServerSurvey implements ServerExaminer {
    private static final Logger LOG = LoggerFactory.getLogger(ChatServerSurvey.class);
    private static final String CHAT = "/v1/chat/completions";
    private static final String PROPERTIES = "/props";
    private static final String LLAMA_SERVER = "llamacpp";
    /// Who owns the models of a server that was started with the models in its list, and loads no other. SGLang and
    /// llama-server answer for these under any name.
    private static final Set<String> STARTED_WITH_THEM = Set.of("vllm", "sglang", LLAMA_SERVER);
    /// The same of Ollama and LM Studio, which load a model when it is asked for.
    private static final Set<String> LOADED_WHEN_ASKED = Set.of("library", "organization_owner");
    /// No such path, not this way, not with these arguments of its command line.
    private static final Set<Integer> HAS_NO_PATH = Set.of(404, 405, 501);
    /// Names of a long list that are told.
    private static final int TOLD_MAX = 3;

    private final ChatOptions options;
    private final Map<URI, Integer> contexts = new ConcurrentHashMap<>();

    ChatServerSurvey(ChatOptions options) {
        this.options = options;
    }

    /// Tokens that the server accepts, as it reports; the configured number when the server reports none.
    int contextOf(UpstreamServer server) {
        return contexts.getOrDefault(server.address(), options.contextLength());
    }

    /// The models in a server's list.
    ///
    /// @param named the entry of ours; missing where there is none
    private record Listed(JsonNode all, JsonNode named) {
        /// Of our model, or else of the first.
        private JsonNode entry() {
            return named.isMissingNode() ? all.path(0) : named;
        }

        private String owner() {
            return entry().path("owned_by").asText();
        }

        private boolean lacksOurs() {
            return named.isMissingNode() && !all.isEmpty();
        }
    }

    @Override
    public @Nullable String objection(UpstreamClient client, UpstreamServer server) throws InterruptedException {
        var reply = ask(client, server, ChatEngine.HEALTH_PATH, MissingNode.getInstance());
        var fault = options.access().keyFault(reply.status());
        if (fault != null) {
            return fault;
        }
        var list = reply.json().path("data");
        var listed = new Listed(list, ServerQuestions.entry(list, options.upstreamModel()));
        // An operator who names the model means that one.
        boolean meansIt = !options.upstreamModel().equals(options.model());
        if (listed.lacksOurs() && meansIt && STARTED_WITH_THEM.contains(listed.owner())) {
            return servesOthers(listed);
        }
        if (listed.named.isMissingNode() || !LOADED_WHEN_ASKED.contains(listed.owner())) {
            fault = refusal(ask(client, server, CHAT, oneToken()), listed);
        }
        if (fault == null) {
            learnContext(client, server, listed);
        }
        return fault;
    }

    private UpstreamReply ask(UpstreamClient client, UpstreamServer server, String path, JsonNode body)
            throws InterruptedException {
        return client.ask(
                server, new UpstreamClient.Call(path, body), options.knowing().questionTimeout());
    }

    private JsonNode oneToken() {
        var body = JsonNodeFactory.instance
                .objectNode()
                .put("model", options.upstreamModel())
                .put("max_tokens", 1);
        body.putArray("messages").addObject().put("role", "user").put("content", "Reply with one word.");
        return body;
    }

    /// What a busy or a late server answers is no refusal, and neither is one of `max_tokens`.
    private @Nullable String refusal(UpstreamReply reply, Listed listed) {
        var fault = options.access().keyFault(reply.status());
        if (fault != null) {
            return fault;
        }
        if (reply.refusesModel()) {
            return listed.lacksOurs() ? servesOthers(listed) : "does not serve " + ours() + status(reply);
        }
        return HAS_NO_PATH.contains(reply.status())
                ? "has no " + CHAT + status(reply) + ": worker.engine=chat is for servers of Chat Completions"
                : null;
    }

    private String servesOthers(Listed listed) {
        var served = listed.all
                .valueStream()
                .map(entry -> entry.path("id").asText())
                .limit(TOLD_MAX)
                .collect(Collectors.joining(", "));
        return "serves " + served + " and not " + ours();
    }

    private String ours() {
        var setting =
                options.upstreamModel().equals(options.model()) ? "worker.model-name" : "worker.remote.upstream-model";
        return options.upstreamModel() + ", the name in " + setting;
    }

    private static String status(UpstreamReply reply) {
        return " (HTTP " + reply.status() + ")";
    }

    private void learnContext(UpstreamClient client, UpstreamServer server, Listed listed) throws InterruptedException {
        var told = listed.owner().equals(LLAMA_SERVER)
                ? ask(client, server, PROPERTIES, MissingNode.getInstance())
                        .json()
                        .path("default_generation_settings")
                        .path("n_ctx")
                : listed.entry().path("max_model_len");
        int context = told.isInt() && told.intValue() > 1 ? told.intValue() : options.contextLength();
        contexts.put(server.address(), context);
        UpstreamEngine.smallContext(context, options.contextLength())
                .ifPresent(text -> LOG.warn("server address={} warning=\"{}\"", server.address(), text));
    }
}
