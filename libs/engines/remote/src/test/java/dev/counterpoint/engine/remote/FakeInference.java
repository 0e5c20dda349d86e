package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A server that serves the [FakeModel]. Its kinds read requests as strictly as the servers that they
/// stand for, and answer as those do, faults included.
abstract class FakeInference implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    /// Tokens of one event, but for the first: servers that draft ahead or save events send several.
    private static final int BURST = 3;

    private static final double SCRIPTED = 90;
    static final String MODEL = "openai/gpt-oss-20b";
    /// `<|start|>assistant<|channel|>analysis<|message|>`, as OpenAI's tokenizer has it.
    private static final List<Integer> MARKUP = List.of(200006, 173781, 200005, 35644, 200008);

    private final String path;
    private final FakeHttpServer http;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    /// For the number of ids before it, a token that the model wants to say; negative for none.
    private volatile IntUnaryOperator script = _ -> -1;
    private volatile FakeHttpServer.@Nullable Handler instead;
    private volatile boolean well = true;
    private volatile Draws draws = Draws.BEST;
    private volatile boolean harmony = true;
    private volatile String model = MODEL;
    private volatile String key = "";
    private volatile String metrics = "";
    private volatile int contextLength = FakeVllm.CONTEXT_LENGTH;
    private final List<JsonNode> trials = new CopyOnWriteArrayList<>();

    /// A request as all kinds have it.
    record Params(
            int[] ids,
            int maxTokens,
            Set<Integer> stops,
            Map<Integer, Double> bias,
            Set<Integer> only,
            double presence,
            double frequency,
            boolean countsPrompt,
            Draw draw) {}

    /// @param seed null where the request has none
    record Draw(double temperature, @Nullable Long seed) {
        static Draw of(JsonNode sampling, String seed) {
            return new Draw(
                    sampling.path("temperature").asDouble(),
                    sampling.path(seed).isIntegralNumber() ? sampling.path(seed).longValue() : null);
        }
    }

    /// What one event tells.
    ///
    /// @param all tokens that were said so far
    /// @param thoughts before each of them
    /// @param before how many of them earlier events told
    /// @param finish `stop`, `length` or null
    record Burst(
            List<Integer> all,
            List<FakeModel> thoughts,
            int before,
            @Nullable String finish) {
        int last() {
            return all.getLast();
        }

        int fresh() {
            return all.size() - before;
        }
    }

    FakeInference(String path) {
        this(path, 0);
    }

    FakeInference(String path, int port) {
        this.path = path;
        http = new FakeHttpServer(port, this::handle);
    }

    URI address() {
        return http.address();
    }

    int port() {
        return http.port();
    }

    int connections() {
        return http.connections();
    }

    List<JsonNode> requests() {
        return requests;
    }

    List<String> authorizations() {
        return authorizations;
    }

    void says(IntUnaryOperator tokenAtLength) {
        script = tokenAtLength;
    }

    /// From now on requests are answered so; null for as usual.
    void answers(FakeHttpServer.@Nullable Handler handler) {
        instead = handler;
    }

    void isWell(boolean now) {
        well = now;
    }

    /// What the server was tried with by the survey, which [#requests] leaves out.
    List<JsonNode> trials() {
        return trials;
    }

    /// What a temperature above 0 does.
    enum Draws {
        /// Nothing: the best token comes.
        BEST,
        /// As vLLM's V2 runner and SGLang's deterministic one draw.
        BY_SEED_AND_POSITION,
        /// By the seed and how many tokens the request drew, as vLLM's V1 runner does.
        BY_SEED_AND_REQUEST
    }

    void draw(Draws how) {
        draws = how;
    }

    /// Has a model of another family.
    void isNotHarmony() {
        harmony = false;
    }

    void serves(String name) {
        model = name;
    }

    /// In its metrics.
    void says(String lines) {
        metrics = lines;
    }

    void wantsKey(String bearer) {
        key = bearer;
    }

    void hasContext(int tokens) {
        contextLength = tokens;
    }

    int contextLength() {
        return contextLength;
    }

    /// What the server says of itself; null for a path that it does not know.
    abstract @Nullable JsonNode fact(String target);

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode models(String owner) {
        return json("{'object':'list','data':[{'id':'%s','object':'model','owned_by':'%s','max_model_len':%d}]}"
                .formatted(model, owner, contextLength));
    }

    private void handle(Exchange exchange) throws IOException, InterruptedException {
        var target = exchange.target();
        if (target.equals("GET /health")) {
            exchange.answer(well ? 200 : 503, "{}");
            return;
        }
        if (!key.isEmpty() && !exchange.header("authorization").equals("Bearer " + key)) {
            exchange.answer(401, "{\"error\":\"Unauthorized\"}");
            return;
        }
        if (target.equals("POST /tokenize")) {
            var ids = harmony ? MARKUP : List.of(27, 91, 2527, 91, 29);
            exchange.answer(200, "{\"count\":5,\"tokens\":" + ids + "}");
            return;
        }
        if (target.equals("GET /metrics") && !metrics.isEmpty()) {
            exchange.answer(200, metrics);
            return;
        }
        if (!target.equals("POST " + path)) {
            var fact = fact(target);
            exchange.answer(fact == null ? 404 : 200, fact == null ? "{}" : fact.toString());
            return;
        }
        var request = JSON.readTree(exchange.body());
        if (isTrial(request)) {
            trials.add(request);
            serve(request, exchange);
            return;
        }
        requests.add(request);
        authorizations.add(exchange.header("authorization"));
        var special = instead;
        if (special != null) {
            special.handle(exchange);
            return;
        }
        serve(request, exchange);
    }

    private static boolean isTrial(JsonNode request) {
        var trial = ServerQuestioning.PROMPT;
        var ids = Stream.of("prompt", "token_ids", "input_ids")
                .map(request::path)
                .filter(JsonNode::isArray)
                .findFirst()
                .orElseThrow();
        return ids.size() >= trial.length
                && IntStream.range(0, trial.length).allMatch(i -> ids.get(i).asInt() == trial[i]);
    }

    /// A status that keeps everybody out; null for none.
    @Nullable
    Integer refusal(JsonNode request) {
        return null;
    }

    private void serve(JsonNode request, Exchange exchange) throws IOException {
        var refusal = refusal(request);
        if (refusal != null) {
            exchange.answer(refusal, "{\"error\":{\"message\":\"closed\"}}");
            return;
        }
        try {
            generate(params(request), request, exchange);
        } catch (IllegalStateException e) {
            exchange.answer(500, "{}");
        } catch (IllegalArgumentException e) {
            exchange.answer(400, "{\"error\":{\"message\":\"" + e.getMessage() + "\"}}");
        }
    }

    /// @throws IllegalArgumentException for what the real server answers with status 400
    abstract Params params(JsonNode request);

    abstract void begin(JsonNode request, Exchange exchange) throws IOException;

    abstract void write(Burst burst, JsonNode request, Exchange exchange) throws IOException;

    abstract void end(Burst last, JsonNode request, Exchange exchange) throws IOException;

    private void generate(Params params, JsonNode request, Exchange exchange) throws IOException {
        begin(request, exchange);
        var all = new ArrayList<Integer>();
        var thoughts = new ArrayList<FakeModel>();
        String finish = null;
        while (finish == null) {
            int before = all.size();
            int size = before == 0 ? 1 : BURST;
            while (all.size() < before + size && finish == null) {
                var thought = FakeModel.after(join(params.ids, all));
                int token = choose(thought, params, all);
                all.add(token);
                thoughts.add(thought);
                finish = params.stops.contains(token) ? "stop" : all.size() >= params.maxTokens ? "length" : null;
            }
            write(new Burst(all, thoughts, before, finish), request, exchange);
        }
        end(new Burst(all, thoughts, all.size(), finish), request, exchange);
    }

    private int choose(FakeModel thought, Params params, List<Integer> all) {
        var bias = new HashMap<>(params.bias);
        int wanted = script.applyAsInt(params.ids.length + all.size());
        if (wanted >= 0) {
            bias.merge(wanted, SCRIPTED, Double::sum);
        }
        var counts = new HashMap<Integer, Integer>();
        all.forEach(id -> counts.merge(id, 1, Integer::sum));
        if (params.countsPrompt) {
            Arrays.stream(params.ids).forEach(id -> counts.merge(id, 1, Integer::sum));
        }
        counts.forEach((id, count) -> bias.merge(id, -params.presence - count * params.frequency, Double::sum));
        var draw = params.draw;
        if (draws != Draws.BEST && draw.temperature > 0 && draw.seed != null) {
            long at = draws == Draws.BY_SEED_AND_POSITION ? params.ids.length + all.size() : all.size();
            thought.likely()
                    .keySet()
                    .forEach(token ->
                            bias.merge(token, draw.temperature * FakeModel.noise(draw.seed, at, token), Double::sum));
        }
        return thought.best(bias, params.only);
    }

    private static int[] join(int[] ids, List<Integer> more) {
        int[] joined = Arrays.copyOf(ids, ids.length + more.size());
        for (int i = 0; i < more.size(); i++) {
            joined[ids.length + i] = more.get(i);
        }
        return joined;
    }

    static int[] ids(JsonNode array) {
        check(array.isArray() && !array.isEmpty(), "no ids");
        return StreamSupport.stream(array.spliterator(), false)
                .mapToInt(FakeInference::id)
                .toArray();
    }

    static Set<Integer> idSet(JsonNode array) {
        var ids = new HashSet<Integer>();
        array.forEach(node -> ids.add(id(node)));
        return ids;
    }

    private static int id(JsonNode node) {
        check(node.isInt() && node.intValue() >= 0 && node.intValue() < FakeModel.VOCABULARY, "out of vocabulary");
        return node.intValue();
    }

    /// Of an object with ids as names.
    static Map<Integer, Double> bias(JsonNode object) {
        var bias = new HashMap<Integer, Double>();
        object.properties().forEach(entry -> {
            int token = Integer.parseInt(entry.getKey());
            check(token >= 0 && token < FakeModel.VOCABULARY, "out of vocabulary");
            bias.put(token, entry.getValue().doubleValue());
        });
        return bias;
    }

    static void check(boolean fine, String message) {
        if (!fine) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
