package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Asks one server what it is, and has it say a few tokens. All of it is bounded in time.
final class ServerQuestioning {
    /// A server that has much to do may answer later; then it is not tried.
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private static final String MODELS = "/v1/models";
    private static final int NO_KEY = 401;
    /// The names under which servers own the models in their lists, and the servers'.
    private static final Map<String, String> OWNERS =
            Map.of("vllm", "vLLM", "sglang", "SGLang", "llamacpp", "llama-server");

    /// The beginning of an answer, and the tokens that a Harmony model has for its marks.
    private static final String MARKUP = "<|start|>assistant<|channel|>analysis<|message|>";

    private static final Set<Integer> MARKS = Set.of(SpecialTokens.START, SpecialTokens.CHANNEL, SpecialTokens.MESSAGE);

    private final UpstreamClient client;
    private final UpstreamServer server;
    private final RemoteOptions options;

    ServerQuestioning(UpstreamClient client, UpstreamServer server, RemoteOptions options) {
        this.client = client;
        this.server = server;
        this.options = options;
    }

    /// What a server answers with JSON; missing when it knows no such path, or does not answer.
    ///
    /// @throws UnfitServerException when it wants another key
    JsonNode get(String path) throws UnfitServerException, InterruptedException {
        return ask(path, MissingNode.getInstance());
    }

    private JsonNode ask(String path, JsonNode body) throws UnfitServerException, InterruptedException {
        var reply = client.ask(server, new UpstreamClient.Call(path, body), ANSWER_MAX);
        // 403 closes single paths, too; only the list of models is open to every key.
        var fault = reply.status() == NO_KEY || path.equals(MODELS)
                ? options.access().keyFault(reply.status())
                : null;
        if (fault != null) {
            throw new UnfitServerException(fault);
        }
        return reply.json();
    }

    /// The server's entry for our model in its list of models; missing where it has no such list.
    ///
    /// @throws UnfitServerException when it serves others, or is a server of another kind
    JsonNode model() throws UnfitServerException, InterruptedException {
        var entries = get(MODELS).path("data");
        requireKind(entries.path(0));
        var wanted = options.upstreamModel();
        if (wanted == null || entries.isEmpty()) {
            return entries.path(0);
        }
        var named = StreamSupport.stream(entries.spliterator(), false)
                .filter(entry -> wanted.equals(entry.path("id").asText()))
                .findFirst();
        if (named.isEmpty()) {
            var served = StreamSupport.stream(entries.spliterator(), false)
                    .map(entry -> entry.path("id").asText())
                    .limit(3)
                    .toList();
            throw new UnfitServerException("serves " + String.join(", ", served) + " and not " + wanted
                    + ", the name in worker.remote.upstream-model");
        }
        return named.get();
    }

    private void requireKind(JsonNode entry) throws UnfitServerException {
        var wanted = options.dialect().server();
        var kind = OWNERS.getOrDefault(entry.path("owned_by").asText(), wanted);
        if (!kind.equals(wanted)) {
            throw new UnfitServerException(
                    "is " + kind + " and not " + wanted + ": take worker.engine=" + kind.toLowerCase(Locale.ROOT));
        }
    }

    /// Has a server tokenize the beginning of an answer.
    ///
    /// @param body of the question, without the text
    /// @param name of the field with the text
    /// @return whether it does
    /// @throws UnfitServerException when the server has other tokens than a Harmony model
    boolean requireHarmony(ObjectNode body, String name) throws UnfitServerException, InterruptedException {
        var told = ask("/tokenize", body.put(name, MARKUP)).path("tokens");
        if (!told.isArray() || told.isEmpty()) {
            return false;
        }
        var ids = StreamSupport.stream(told.spliterator(), false)
                .map(JsonNode::asInt)
                .collect(Collectors.toSet());
        if (!ids.containsAll(MARKS)) {
            throw new UnfitServerException("has a model that is not gpt-oss: Harmony's marks are no tokens of it;"
                    + " worker.engine=chat serves such models");
        }
        return true;
    }

    /// Has the server generate.
    ///
    /// @return all tokens of the answer
    List<Integer> generate(ServerRequest ask) throws ServerFailure, InterruptedException {
        var dialect = options.dialect();
        long deadline = System.nanoTime() + ANSWER_MAX.toNanos();
        var call = new UpstreamClient.Call(dialect.path(), dialect.request(ask));
        var ids = new ArrayList<Integer>();
        try (var events = client.open(server, call, deadline, () -> {})) {
            var answer = dialect.answer(ask);
            while (true) {
                var chunk = answer.read(EventJson.parse(events.next(deadline)));
                chunk.tokens().forEach(token -> ids.add(token.id()));
                if (chunk.finish() != TokenChunk.Finish.NONE) {
                    events.finish();
                    return ids;
                }
            }
        }
    }

    UnfitServerException refused(ServerFailure failure) {
        var fault = failure.status() == NO_KEY ? options.access().keyFault(NO_KEY) : null;
        return new UnfitServerException(fault == null ? options.dialect().refusal(failure) : fault);
    }
}
