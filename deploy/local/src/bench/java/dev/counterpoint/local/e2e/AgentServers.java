package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.engine.testkit.PromptCache;
import dev.counterpoint.engine.testkit.ServerPace;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/// Eight simulated servers of gpt-oss, which speak as vLLM's `/v1/completions` does, compute prompts one after another
/// and keep their beginnings. They have an address each, or one before all of them, as of a load balancer.
final class AgentServers implements AutoCloseable {
    static final int SERVERS = 8;
    static final String MODEL = "agents";
    /// What opens an answer, and comes with its first word.
    private static final int[] OPENING = {
        SpecialTokens.CHANNEL, HarmonyTokenizer.shared().encode("final")[0], SpecialTokens.MESSAGE
    };

    private static final int WORD = HarmonyTokenizer.shared().encode(" word")[0];

    /// Chooses a server.
    interface Rule {
        int choose(int[] prompt, int[] loads);
    }

    /// @param computing held by the request whose prompt is computed, in the order in which they came
    private record Server(PromptCache cache, ReentrantLock computing) {}

    private final ServerPace pace;
    private final List<Server> servers;
    private final int[] loads = new int[SERVERS];
    private final List<Double> waits = new ArrayList<>();
    private final List<FakeHttpServer> addresses;

    private AgentServers(ServerPace pace, List<Server> servers, Function<AgentServers, List<FakeHttpServer>> opened) {
        this.pace = pace;
        this.servers = servers;
        addresses = opened.apply(this);
    }

    /// Each with an address, among which whoever asks chooses.
    static AgentServers each(ServerPace pace) {
        return new AgentServers(
                pace,
                apart(pace),
                servers -> IntStream.range(0, SERVERS)
                        .mapToObj(server -> servers.opened((_, _) -> server))
                        .toList());
    }

    /// Behind one address, where a rule chooses.
    static AgentServers behind(ServerPace pace, Rule rule) {
        return new AgentServers(pace, apart(pace), servers -> List.of(servers.opened(rule)));
    }

    /// The same, where each server has what one has.
    static AgentServers sharing(ServerPace pace, Rule rule) {
        var all = new PromptCache(SERVERS * pace.cacheTokens());
        var sharing = IntStream.range(0, SERVERS)
                .mapToObj(_ -> new Server(all, new ReentrantLock(true)))
                .toList();
        return new AgentServers(pace, sharing, servers -> List.of(servers.opened(rule)));
    }

    private static List<Server> apart(ServerPace pace) {
        return IntStream.range(0, SERVERS)
                .mapToObj(_ -> new Server(new PromptCache(pace.cacheTokens()), new ReentrantLock(true)))
                .toList();
    }

    private FakeHttpServer opened(Rule rule) {
        return new FakeHttpServer(exchange -> answer(exchange, rule));
    }

    /// As `worker.engine-url` has them.
    String urls() {
        return addresses.stream().map(each -> each.address().toString()).collect(Collectors.joining(","));
    }

    /// From each request's arrival to its first token, in seconds.
    List<Double> waits() {
        synchronized (waits) {
            return List.copyOf(waits);
        }
    }

    private void answer(Exchange exchange, Rule rule) throws IOException, InterruptedException {
        switch (exchange.target()) {
            case "GET /health" -> exchange.answer(200, "");
            case "GET /version" -> exchange.answer(200, "{\"version\":\"0.32.0\"}");
            case "GET /v1/models" -> exchange.answer(200, """
                    {"object":"list","data":[{"id":"%s","object":"model","owned_by":"vllm","max_model_len":131072}]}""".formatted(MODEL));
            case "POST /v1/completions" -> complete(exchange, rule);
            default -> exchange.answer(404, "{}");
        }
    }

    private void complete(Exchange exchange, Rule rule) throws IOException, InterruptedException {
        long came = System.nanoTime();
        var asked = ApiClient.JSON.readTree(exchange.body());
        int[] prompt = StreamSupport.stream(asked.path("prompt").spliterator(), false)
                .mapToInt(JsonNode::intValue)
                .toArray();
        int chosen = begin(rule, prompt);
        try {
            exchange.beginEvents();
            int warm = compute(servers.get(chosen), asked.path("cache_salt").asText(), prompt);
            synchronized (waits) {
                waits.add((System.nanoTime() - came) / 1e9);
            }
            say(exchange, asked.path("max_tokens").asInt(), chosen);
            exchange.data("""
                    {"choices":[],"usage":{"prompt_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}""".formatted(prompt.length, warm));
            exchange.data("[DONE]");
        } finally {
            synchronized (loads) {
                loads[chosen]--;
            }
        }
    }

    private int begin(Rule rule, int[] prompt) {
        synchronized (loads) {
            int chosen = rule.choose(prompt, loads.clone());
            loads[chosen]++;
            return chosen;
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
        var first = Arrays.copyOf(OPENING, said);
        if (said > OPENING.length) {
            first[OPENING.length] = WORD;
        }
        tell(exchange, first, said == tokens);
        while (said < tokens) {
            sleep(pace.tokenSeconds(load(server) - 1));
            said++;
            tell(exchange, new int[] {WORD}, said == tokens);
        }
    }

    private int load(int server) {
        synchronized (loads) {
            return loads[server];
        }
    }

    private static void tell(Exchange exchange, int[] tokens, boolean last) throws IOException {
        exchange.data("""
                {"choices":[{"index":0,"text":"","token_ids":%s,"finish_reason":%s}]}""".formatted(Arrays.toString(tokens), last ? "\"length\"" : "null"));
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep(Duration.ofNanos((long) (seconds * 1e9)));
    }

    @Override
    public void close() {
        addresses.forEach(FakeHttpServer::close);
    }
}
