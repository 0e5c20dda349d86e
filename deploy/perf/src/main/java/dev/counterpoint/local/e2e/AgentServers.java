package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.engine.testkit.PromptCache;
import dev.counterpoint.engine.testkit.RoutingFigures;
import dev.counterpoint.engine.testkit.RoutingRule;
import dev.counterpoint.engine.testkit.RoutingSimulation;
import dev.counterpoint.engine.testkit.ServerPace;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/// Eight simulated servers of gpt-oss, which speak as vLLM's `/v1/completions` does, compute prompts one after another
/// and keep their beginnings. They have an address each, or one before all of them, as of a load balancer.
final class AgentServers implements AutoCloseable {
    static final String MODEL = "agents";
    /// What opens an answer, and comes with its first word.
    private static final int[] OPENING = {
        SpecialTokens.CHANNEL, HarmonyTokenizer.shared().encode("final")[0], SpecialTokens.MESSAGE
    };

    private static final String WORD = " word";
    private static final int WORD_TOKEN = HarmonyTokenizer.shared().encode(WORD)[0];

    /// @param computing held by the request whose prompt is computed, in the order in which they came
    private record Server(PromptCache cache, ReentrantLock computing) {}

    private final ServerPace pace;
    private final List<Server> servers;
    private final int[] loads = new int[RoutingSimulation.SERVERS];
    private final List<FakeHttpServer> addresses = new ArrayList<>();
    private volatile RoutingFigures figures = new RoutingFigures(RoutingSimulation.SERVERS);

    private AgentServers(ServerPace pace, List<Server> servers) {
        this.pace = pace;
        this.servers = servers;
    }

    /// Each with an address, among which whoever asks chooses.
    static AgentServers each(ServerPace pace) {
        var servers = new AgentServers(pace, apart(pace));
        IntStream.range(0, RoutingSimulation.SERVERS).forEach(server -> servers.open((_, _, _) -> server));
        return servers;
    }

    /// Behind one address, where a rule chooses.
    static AgentServers behind(ServerPace pace, RoutingRule rule) {
        var servers = new AgentServers(pace, apart(pace));
        servers.open(rule);
        return servers;
    }

    /// The same, where each server has what one has.
    static AgentServers sharing(ServerPace pace, RoutingRule rule) {
        var cache = new PromptCache(RoutingSimulation.SERVERS * pace.cacheTokens());
        var sharing = IntStream.range(0, RoutingSimulation.SERVERS)
                .mapToObj(_ -> new Server(cache, new ReentrantLock(true)))
                .toList();
        var servers = new AgentServers(pace, sharing);
        servers.open(rule);
        return servers;
    }

    private static List<Server> apart(ServerPace pace) {
        return IntStream.range(0, RoutingSimulation.SERVERS)
                .mapToObj(_ -> new Server(new PromptCache(pace.cacheTokens()), new ReentrantLock(true)))
                .toList();
    }

    private void open(RoutingRule rule) {
        addresses.add(new FakeHttpServer(exchange -> answer(exchange, rule)));
    }

    /// As `worker.engine-url` has them.
    String urls() {
        return addresses.stream().map(each -> each.address().toString()).collect(Collectors.joining(","));
    }

    /// Of the requests since [#beginFigures].
    RoutingFigures figures() {
        return figures;
    }

    void beginFigures() {
        figures = new RoutingFigures(RoutingSimulation.SERVERS);
    }

    /// What a client reads of an answer.
    ///
    /// @param tokens of it, more than open it
    static String text(int tokens) {
        return WORD.repeat(tokens - OPENING.length);
    }

    private void answer(Exchange exchange, RoutingRule rule) throws IOException, InterruptedException {
        switch (exchange.target()) {
            case "GET /health" -> exchange.answer(200, "");
            case "GET /version" -> exchange.answer(200, "{\"version\":\"0.32.0\"}");
            case "GET /v1/models" -> exchange.answer(200, """
                {"object":"list","data":[{"id":"%s","object":"model","owned_by":"vllm","max_model_len":131072}]}\
                """.formatted(MODEL));
            case "POST /v1/completions" -> complete(exchange, rule);
            default -> exchange.answer(404, "{}");
        }
    }

    private void complete(Exchange exchange, RoutingRule rule) throws IOException, InterruptedException {
        long came = System.nanoTime();
        var asked = ApiClient.JSON.readTree(exchange.body());
        int tokens = asked.path("max_tokens").asInt();
        var salt = asked.path("cache_salt").asText();
        exchange.beginEvents();
        if (salt.isEmpty()) {
            // The worker tries the server: no job.
            tell(exchange, words(tokens), true);
        } else {
            int[] prompt = StreamSupport.stream(asked.path("prompt").spliterator(), false)
                    .mapToInt(JsonNode::intValue)
                    .toArray();
            int chosen = begin(rule, salt, prompt);
            try {
                int warm = compute(servers.get(chosen), salt, prompt);
                figures.add(chosen, prompt.length, warm, (System.nanoTime() - came) / 1e9);
                say(exchange, tokens, chosen);
                exchange.data("""
                    {"choices":[],"usage":{"prompt_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}\
                    """.formatted(prompt.length, warm));
            } finally {
                end(chosen);
            }
        }
        exchange.data("[DONE]");
    }

    private int begin(RoutingRule rule, String salt, int[] prompt) {
        synchronized (loads) {
            int chosen = rule.choose(salt, prompt, loads.clone());
            loads[chosen]++;
            return chosen;
        }
    }

    private void end(int server) {
        synchronized (loads) {
            loads[server]--;
        }
    }

    private int load(int server) {
        synchronized (loads) {
            return loads[server];
        }
    }

    /// @return tokens that were there
    private int compute(Server server, String salt, int[] prompt) throws InterruptedException {
        server.computing.lockInterruptibly();
        try {
            int warm = server.cache.use(salt, prompt);
            sleep(pace.promptSeconds(prompt.length, warm));
            return warm;
        } finally {
            server.computing.unlock();
        }
    }

    /// Says as many tokens as it may, none of which ends the answer.
    private void say(Exchange exchange, int tokens, int server) throws IOException, InterruptedException {
        int said = Math.min(tokens, OPENING.length + 1);
        tell(exchange, words(said), said == tokens);
        while (said < tokens) {
            sleep(pace.tokenSeconds(load(server) - 1));
            said++;
            tell(exchange, new int[] {WORD_TOKEN}, said == tokens);
        }
    }

    /// The beginning of an answer.
    private static int[] words(int tokens) {
        int[] words = Arrays.copyOf(OPENING, tokens);
        Arrays.fill(words, Math.min(OPENING.length, tokens), tokens, WORD_TOKEN);
        return words;
    }

    private static void tell(Exchange exchange, int[] tokens, boolean last) throws IOException {
        exchange.data("""
            {"choices":[{"index":0,"text":"","token_ids":%s,"finish_reason":%s}]}\
            """.formatted(Arrays.toString(tokens), last ? "\"length\"" : "null"));
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep(Duration.ofNanos((long) (seconds * 1e9)));
    }

    @Override
    public void close() {
        addresses.forEach(FakeHttpServer::close);
    }
}
