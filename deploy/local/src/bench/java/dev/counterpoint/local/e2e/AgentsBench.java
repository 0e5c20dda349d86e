package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.testkit.AgentTraces;
import dev.counterpoint.engine.testkit.ServerPace;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Agents through gateway, broker and worker before [AgentServers]: which part of their prompts' tokens a server has,
/// and how long a first text takes, by the rule that chooses the server. The same small traces are run in simulated
/// time by `RoutingSimulationTest`.
final class AgentsBench {
    private static final long SEED = 24;
    private static final String OURS = "prefix tree";
    private static final String BEST = "best possible";
    private static final List<String> RULES =
            List.of(System.getProperty("bench.rules").split(","));
    private static final int[] AGENTS = Arrays.stream(
                    System.getProperty("bench.agents").split(","))
            .mapToInt(Integer::parseInt)
            .toArray();
    /// More than ever run.
    private static final String SLOTS = "400";

    private static final long POLL_NANOS = 100_000_000;

    /// @param firstSeconds from the request to its first text
    private record Turn(double firstSeconds, long prompted, long found) {}

    private final RunningSuite suite;
    private final ApiClient caller;
    private final List<String> words = words();

    private AgentsBench(Path folder) throws IOException {
        suite = new RunningSuite(folder);
        caller = suite.client(RunningSuite.SUMMARY_KEY);
    }

    static void main() throws IOException, InterruptedException, ExecutionException {
        var bench = new AgentsBench(
                Files.createTempDirectory(Path.of("target"), "agents-bench").toAbsolutePath());
        try {
            bench.suite.startGateway().ready();
            System.out.println(
                    "| agents | rule | turns | warm | first text, s: mean | p99 | in the servers: mean | p99 |");
            System.out.println("|---:|---|---:|---:|---:|---:|---:|---:|");
            for (int agents : AGENTS) {
                for (var rule : RULES) {
                    bench.measure(rule, agents);
                }
            }
        } finally {
            bench.suite.close();
        }
    }

    private static AgentServers servers(String rule) {
        var pace = ServerPace.SMALL;
        return switch (rule) {
            case "random" -> {
                var random = new Random(7);
                yield AgentServers.behind(pace, (_, loads) -> random.nextInt(loads.length));
            }
            case "round robin" -> {
                var next = new int[1];
                yield AgentServers.behind(pace, (_, loads) -> next[0]++ % loads.length);
            }
            case "first 256 tokens" -> AgentServers.behind(pace, AgentsBench::byFirstTokens);
            case OURS -> AgentServers.each(pace);
            case BEST ->
                AgentServers.sharing(
                        pace,
                        (_, loads) ->
                                IntStream.range(0, loads.length).reduce(0, (a, b) -> loads[b] < loads[a] ? b : a));
            default -> throw new IllegalArgumentException("no rule: " + rule);
        };
    }

    /// What the worker did before it had a tree: the first tokens decide, unless that server has four requests more
    /// than another.
    private static int byFirstTokens(int[] prompt, int[] loads) {
        long key = Arrays.hashCode(Arrays.copyOf(prompt, Math.min(prompt.length, 256)));
        int least = Arrays.stream(loads).min().orElse(0);
        return IntStream.range(0, loads.length)
                .filter(server -> loads[server] <= least + 4)
                .reduce((a, b) -> weight(key, b) > weight(key, a) ? b : a)
                .orElse(0);
    }

    private static long weight(long key, int server) {
        return new Random(key * 31 + server).nextLong();
    }

    private void measure(String rule, int agents) throws InterruptedException, ExecutionException {
        var model = "agents-" + agents + "-" + rule.replace(' ', '-');
        try (var servers = servers(rule)) {
            var worker = suite.startWorker(Map.of(
                            "WORKER_ENGINE",
                            "vllm",
                            "WORKER_ENGINE_URL",
                            servers.urls(),
                            "WORKER_MODEL_NAME",
                            model,
                            "WORKER_REMOTE_UPSTREAM_MODEL",
                            AgentServers.MODEL,
                            "WORKER_REMOTE_SLOTS",
                            SLOTS))
                    .ready();
            while (caller.get("/v1/models/" + model).status() != 200) {
                LockSupport.parkNanos(POLL_NANOS); // the gateway hears of a worker by its beat
            }
            // Others' prompts, so that the code is warm and the prompts are not.
            replay(model, AgentTraces.of(new AgentTraces.Load(20, 2.5, 40, AgentTraces.Sizes.SMALL), SEED + 1));
            int before = servers.waits().size();
            var turns = replay(model, AgentTraces.of(AgentTraces.Load.small(agents), SEED));
            var waits = servers.waits();
            print(agents, rule, turns, waits.subList(before, waits.size()));
            worker.process().stop(Duration.ofSeconds(10));
        }
    }

    private List<Turn> replay(String model, AgentTraces traces) throws InterruptedException, ExecutionException {
        long begin = System.nanoTime();
        var turns = new ArrayList<Turn>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var conversations = new ArrayList<Future<List<Turn>>>();
            for (var conversation : traces.conversations()) {
                var prompt = traces.prompts().get(conversation.agent());
                conversations.add(callers.submit(() -> {
                    sleep(conversation.atSecond() - (System.nanoTime() - begin) / 1e9);
                    return converse(model, prompt, conversation);
                }));
            }
            for (var conversation : conversations) {
                turns.addAll(conversation.get());
            }
        }
        return turns;
    }

    private List<Turn> converse(String model, int[] prompt, AgentTraces.Conversation conversation)
            throws InterruptedException {
        var turns = new ArrayList<Turn>();
        var messages = JsonNodeFactory.instance.arrayNode();
        say(messages, "system", text(prompt));
        for (var turn : conversation.turns()) {
            say(messages, "user", text(turn.said()));
            turns.add(ask(model, messages, turn.output()));
            sleep(turn.pauseSeconds());
        }
        return turns;
    }

    /// Adds the answer to the messages.
    private Turn ask(String model, ArrayNode messages, int output) {
        var body = JsonNodeFactory.instance
                .objectNode()
                .put("model", model)
                .put("stream", true)
                .put("max_completion_tokens", output);
        body.putObject("stream_options").put("include_usage", true);
        body.set("messages", messages);
        var first = new double[1];
        long begun = System.nanoTime();
        var events = caller.stream("/v1/chat/completions", body.toString(), event -> {
            if (first[0] == 0 && event.data().contains("\"content\":\" word")) {
                first[0] = (System.nanoTime() - begun) / 1e9;
            }
        });
        say(messages, "assistant", Streams.chatText(events, "content"));
        var usage = Streams.bodies(events).getLast().path("usage");
        if (first[0] == 0 || !usage.path("prompt_tokens").isInt()) {
            throw new IllegalStateException("no answer: " + events.getLast());
        }
        return new Turn(
                first[0],
                usage.path("prompt_tokens").asLong(),
                usage.at("/prompt_tokens_details/cached_tokens").asLong());
    }

    private static void say(ArrayNode messages, String role, String text) {
        messages.addObject().put("role", role).put("content", text);
    }

    private String text(int[] tokens) {
        var text = new StringBuilder();
        for (int token : tokens) {
            text.append(words.get(token));
        }
        return text.toString();
    }

    /// Each is one token, wherever it stands.
    private static List<String> words() {
        var tokenizer = HarmonyTokenizer.shared();
        return IntStream.range(1_000, 20_000)
                .mapToObj(token -> tokenizer.decode(new int[] {token}))
                .filter(word -> word.matches(" [a-z]{3,9}"))
                .limit(AgentTraces.TOKENS)
                .toList();
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep(Duration.ofNanos((long) (Math.max(0, seconds) * 1e9)));
    }

    private static void print(int agents, String rule, List<Turn> turns, List<Double> waits) {
        var first = turns.stream().map(Turn::firstSeconds).toList();
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %d | %.1f %% | %.2f | %.2f | %.2f | %.2f |%n<!-- load %.1f -->%n",
                agents,
                rule,
                turns.size(),
                100.0
                        * turns.stream().mapToLong(Turn::found).sum()
                        / turns.stream().mapToLong(Turn::prompted).sum(),
                mean(first),
                p99(first),
                mean(waits),
                p99(waits),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static double mean(List<Double> seconds) {
        return seconds.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static double p99(List<Double> seconds) {
        return seconds.stream().sorted().toList().get(seconds.size() * 99 / 100);
    }
}
