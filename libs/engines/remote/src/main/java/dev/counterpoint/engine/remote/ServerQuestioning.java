package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Urgency;
import dev.counterpoint.engine.http.EventStream;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Queries the facts of one server and lets it generate a few tokens, as jobs will: a server that refuses this
/// trial would refuse every job. Every step has a time limit.
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

    /// No path of a trial is a path of a model: the tokens of a seed differ between almost all seeds after a few.
    private static final int DRAWN = 12;

    static final int[] PROMPT = HarmonyTokenizer.shared().encode("tangerine seven the of quickly blue if Monday");
    private static final Sampling BIASED = Sampling.GREEDY.withLogitBias(Map.of(0, -1.0));
    private static final Sampling DRAWING = new Sampling(2, 1, 0, 0, 0, Map.of(), 11L, null);

    private final UpstreamClient client;
    private final UpstreamServer server;
    private final RemoteOptions options;

    ServerQuestioning(UpstreamClient client, UpstreamServer server, RemoteOptions options) {
        this.client = client;
        this.server = server;
        this.options = options;
    }

    /// The facts that the server reports and the behaviour that it shows in a trial.
    ///
    /// @throws ServerFailure when the server's configuration keeps it from serving any job
    ServerProfile profile() throws ServerFailure, InterruptedException {
        var told = options.dialect().profile(this);
        try {
            return drawn(prioritised(biased(told)));
        } catch (ServerFailure e) {
            if (e.isOverload()) {
                return told;
            }
            var fault = e.status() == NO_KEY ? options.access().keyFault(NO_KEY) : null;
            throw ServerFailure.unfit(fault == null ? options.dialect().refusal(e) : fault);
        }
    }

    private ServerProfile biased(ServerProfile told) throws ServerFailure, InterruptedException {
        try {
            generate(PROMPT, 1, BIASED, told);
            return told;
        } catch (ServerFailure e) {
            if (!e.isMistake()) {
                throw e;
            }
            generate(PROMPT, 1, Sampling.GREEDY, told);
            return told.withoutBias();
        }
    }

    private ServerProfile prioritised(ServerProfile told) throws InterruptedException {
        if (!options.dialect().mayOrder()) {
            return told;
        }
        var ordering = told.withPriorities(ServerProfile.Priorities.LOWEST_FIRST);
        try {
            generate(PROMPT, 1, Sampling.GREEDY, ordering);
            return ordering;
        } catch (ServerFailure e) {
            return told;
        }
    }

    private ServerProfile drawn(ServerProfile told) throws InterruptedException {
        var drawing = told.drawingByPosition();
        try {
            var whole = generate(PROMPT, DRAWN, DRAWING, drawing);
            var said = whole.stream().mapToInt(Integer::intValue).limit(DRAWN / 2);
            int[] begun = IntStream.concat(IntStream.of(PROMPT), said).toArray();
            var rest = generate(begun, DRAWN / 2, DRAWING, drawing);
            boolean exact =
                    whole.size() == DRAWN && whole.subList(DRAWN / 2, DRAWN).equals(rest);
            return exact ? drawing : told;
        } catch (ServerFailure e) {
            return told;
        }
    }

    /// Has the server generate.
    ///
    /// @return all tokens of the answer
    private List<Integer> generate(int[] ids, int maxTokens, Sampling sampling, ServerProfile profile)
            throws ServerFailure, InterruptedException {
        var dialect = options.dialect();
        var ask = new ServerRequest(
                ids,
                PROMPT.length,
                maxTokens,
                sampling,
                Set.of(),
                Set.of(),
                Set.of(),
                null,
                "",
                options.upstreamModel(),
                Urgency.LOW,
                profile);
        long deadline = System.nanoTime() + ANSWER_MAX.toNanos();
        var call = new UpstreamClient.Call(dialect.path(), dialect.request(ask));
        return client.listen(server, call, deadline, new EventStream.Listener<List<Integer>>() {
            private final List<Integer> said = new ArrayList<>();

            @Override
            public @Nullable List<Integer> hear(@Nullable String data) throws ServerFailure {
                if (data == null) {
                    throw ServerFailure.broken("the stream ended before the output did");
                }
                var chunk = dialect.read(data, ask, said.size());
                chunk.tokens().forEach(token -> said.add(token.id()));
                return chunk.finish() == TokenChunk.Finish.NONE ? null : said;
            }

            @Override
            public long lateAtNanos(long heardNanos) {
                return deadline;
            }

            @Override
            public boolean hasAll() {
                return true;
            }
        });
    }

    /// What a server answers with JSON; missing when it knows no such path, or does not answer.
    ///
    /// @throws ServerFailure when it wants another key
    JsonNode get(String path) throws ServerFailure, InterruptedException {
        return ask(path, MissingNode.getInstance());
    }

    private JsonNode ask(String path, JsonNode body) throws ServerFailure, InterruptedException {
        var reply = client.ask(server, new UpstreamClient.Call(path, body), ANSWER_MAX);
        // 403 closes single paths, too; only the list of models is open to every key.
        var fault = reply.status() == NO_KEY || path.equals(MODELS)
                ? options.access().keyFault(reply.status())
                : null;
        if (fault != null) {
            throw ServerFailure.unfit(fault);
        }
        return reply.json();
    }

    /// The server's entry for our model in its list of models; missing where it has no such list.
    ///
    /// @throws ServerFailure when it serves others, or is a server of another kind
    JsonNode model() throws ServerFailure, InterruptedException {
        var entries = get(MODELS).path("data");
        requireKind(entries.path(0));
        var wanted = options.upstreamModel();
        if (wanted == null || entries.isEmpty()) {
            return entries.path(0);
        }
        var served = new ArrayList<String>();
        for (var entry : entries) {
            served.add(entry.path("id").asText());
        }
        if (!served.contains(wanted)) {
            var some = served.subList(0, Math.min(served.size(), 3));
            throw ServerFailure.unfit("serves " + String.join(", ", some) + " and not " + wanted
                    + ", the name in worker.remote.upstream-model");
        }
        return entries.path(served.indexOf(wanted));
    }

    private void requireKind(JsonNode entry) throws ServerFailure {
        var wanted = options.dialect().server();
        var kind = OWNERS.getOrDefault(entry.path("owned_by").asText(), wanted);
        if (!kind.equals(wanted)) {
            throw ServerFailure.unfit(
                    "is " + kind + " and not " + wanted + ": take worker.engine=" + kind.toLowerCase(Locale.ROOT));
        }
    }

    /// Has a server tokenize the beginning of an answer.
    ///
    /// @param body of the question, without the text
    /// @param name of the field with the text
    /// @return whether it does
    /// @throws ServerFailure when the server has other tokens than a Harmony model
    boolean requireHarmony(ObjectNode body, String name) throws ServerFailure, InterruptedException {
        var told = ask("/tokenize", body.put(name, MARKUP)).path("tokens");
        if (!told.isArray() || told.isEmpty()) {
            return false;
        }
        var ids = StreamSupport.stream(told.spliterator(), false)
                .map(JsonNode::asInt)
                .collect(Collectors.toSet());
        if (!ids.containsAll(MARKS)) {
            throw ServerFailure.unfit("has a model that is not gpt-oss: Harmony's marks are no tokens of it;"
                    + " worker.engine=chat serves such models");
        }
        return true;
    }
}
