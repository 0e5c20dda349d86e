package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import java.io.IOException;
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
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A server that serves the [FakeModel]. Its kinds read requests as strictly as the servers that they
/// stand for, and answer as those do, faults included.
abstract class FakeInference implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    /// Tokens of one event, but for the first: servers that draft ahead or save events send several.
    private static final int BURST = 3;

    private static final double SCRIPTED = 90;

    private final String path;
    private final FakeHttpServer http;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    /// For the number of ids before it, a token that the model wants to say; negative for none.
    private volatile IntUnaryOperator script = _ -> -1;
    private volatile FakeHttpServer.@Nullable Handler instead;
    private volatile boolean well = true;

    /// A request as all kinds have it.
    record Params(
            int[] ids,
            int maxTokens,
            Set<Integer> stops,
            Map<Integer, Double> bias,
            Set<Integer> only,
            double presence,
            double frequency,
            boolean countsPrompt) {}

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

    private void handle(Exchange exchange) throws IOException, InterruptedException {
        if (exchange.target().equals("GET /health")) {
            exchange.answer(well ? 200 : 503, "{}");
            return;
        }
        if (!exchange.target().equals("POST " + path)) {
            exchange.answer(404, "{}");
            return;
        }
        var request = JSON.readTree(exchange.body());
        requests.add(request);
        authorizations.add(exchange.header("authorization"));
        var special = instead;
        if (special != null) {
            special.handle(exchange);
            return;
        }
        try {
            generate(params(request), request, exchange);
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
