package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.http.PrefixRouter;
import dev.counterpoint.engine.http.PromptPrefix;
import dev.counterpoint.engine.testkit.AgentTraces;
import dev.counterpoint.engine.testkit.RoutingFigures;
import dev.counterpoint.engine.testkit.RoutingRule;
import dev.counterpoint.engine.testkit.RoutingSimulation;
import dev.counterpoint.engine.testkit.ServerPace;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.local.e2e.RunningSuite.Service;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Agents through gateway, broker and worker before [AgentServers]: which part of their prompts' tokens a server has,
/// and how long a first text takes, by the rule that chooses the server; beside the same traces in simulated time. The
/// worker chooses by its tree of prompts; every other rule is that of a load balancer between the worker and the
/// servers. Ends within [#LONGEST], and with the first request that fails.
final class AgentsBench {
    private static final Duration LONGEST = Duration.ofMinutes(Integer.getInteger("bench.minutes", 5));
    private static final long SEED = 24;
    private static final String OURS = "prefix tree";
    private static final String BEST = "best possible";
    private static final int AGENTS = Integer.getInteger("bench.agents", 16);
    private static final List<String> RULES = List.of(
            System.getProperty("bench.rules", "random,least loaded," + OURS).split(","));
    /// Other agents, so that the code is warm and the prompts are not.
    private static final AgentTraces WARM_UP = AgentTraces.of(
            new AgentTraces.Load(
                    12,
                    4,
                    12,
                    new AgentTraces.Sizes(span(1_000, 2_000), span(2, 3), span(25, 525), span(10, 20), span(100, 200))),
            SEED + 1);
    private static final AgentTraces TRACES = AgentTraces.of(AgentTraces.Load.small(AGENTS), SEED);
    private static final ServerPace PACE = ServerPace.SMALL;
    /// More than ever run.
    private static final String SLOTS = "400";

    private static final String PATH = "/v1/chat/completions";

    private final long untilNanos = System.nanoTime() + LONGEST.toNanos();
    private final RunningSuite suite;
    private final ApiClient caller;
    private final List<String> words = words();

    /// A worker before servers of its own.
    private record Served(String rule, String model, AgentServers servers, Service worker) {}

    /// @param firstNanos from the request to its first text
    /// @param warm tokens of the prompt that a server had, as the API tells them
    private record Answered(long firstNanos, long warm) {}

    private AgentsBench(Path folder) throws IOException {
        suite = new RunningSuite(folder);
        caller = suite.client(RunningSuite.SUMMARY_KEY);
    }

    static void main() throws Exception {
        var bench = new AgentsBench(
                Files.createTempDirectory(Path.of("target"), "agents").toAbsolutePath());
        try {
            bench.measure();
        } finally {
            bench.suite.close();
        }
    }

    private void measure() throws Exception {
        var gateway = suite.startGateway();
        var all = RULES.stream().map(this::serve).toList();
        try {
            gateway.ready();
            for (var served : all) {
                served.worker.ready();
                awaitModel(served.model);
            }
            replay(all, WARM_UP);
            System.out.println("| agents | rule | | turns | warm | first text, s: p50 | p99"
                    + " | in the servers: p50 | p99 | busiest : mean, requests | computed | load |");
            System.out.println("|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
            for (var served : all) {
                var simulated = RoutingSimulation.run(rule(served.rule), TRACES, PACE, BEST.equals(served.rule));
                print(served.rule, "simulation", simulated, List.of());
                served.servers.beginFigures();
                var answers = replay(List.of(served), TRACES);
                check(answers, served.servers.figures());
                print(served.rule, "suite", served.servers.figures(), answers);
            }
        } finally {
            all.forEach(served -> served.servers.close());
        }
    }

    /// The same rule for simulation and suite, where the worker has its own [PrefixRouter].
    private static RoutingRule rule(String name) {
        return switch (name) {
            case "random" -> RoutingRule.random(7);
            case "round robin" -> RoutingRule.roundRobin();
            case "least loaded", BEST -> RoutingRule.leastLoaded();
            case "first 256 tokens" -> RoutingRule.firstTokens();
            case OURS -> {
                var router = new PrefixRouter(
                        PrefixRouter.NODES_MAX,
                        LongStream.range(0, RoutingSimulation.SERVERS).toArray());
                yield (salt, prompt, loads) -> router.choose(PromptPrefix.of(salt, prompt), loads);
            }
            default -> throw new IllegalArgumentException("bench.rules: there is no rule " + name);
        };
    }

    private static AgentServers servers(String rule) {
        return switch (rule) {
            case OURS -> AgentServers.each(PACE);
            case BEST -> AgentServers.sharing(PACE, rule(rule));
            default -> AgentServers.behind(PACE, rule(rule));
        };
    }

    /// Starts a worker, and does not wait for it.
    private Served serve(String rule) {
        var servers = servers(rule);
        var model = "agents-" + rule.replace(' ', '-');
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
                SLOTS));
        return new Served(rule, model, servers, worker);
    }

    /// The gateway hears of a worker by its heartbeat.
    private void awaitModel(String model) throws InterruptedException {
        while (caller.get("/v1/models/" + model).status() != 200) {
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos(), 100_000_000));
        }
    }

    private long leftNanos() {
        long left = untilNanos - System.nanoTime();
        if (left <= 0) {
            throw new IllegalStateException(
                    "not done after " + LONGEST + ": take fewer bench.rules, or more bench.minutes on a slow machine");
        }
        return left;
    }

    /// Has the same conversations with each model, all at once.
    private List<Answered> replay(List<Served> all, AgentTraces traces)
            throws InterruptedException, ExecutionException {
        var callers = Executors.newVirtualThreadPerTaskExecutor();
        try {
            var done = new ExecutorCompletionService<List<Answered>>(callers);
            long begun = System.nanoTime();
            for (var served : all) {
                traces.conversations().forEach(each -> done.submit(conversation(served.model, traces, each, begun)));
            }
            var answers = new ArrayList<Answered>();
            for (int left = all.size() * traces.conversations().size(); left > 0; left--) {
                var next = done.poll(leftNanos(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    leftNanos();
                    throw new IllegalStateException("a conversation never ends");
                }
                answers.addAll(next.get());
            }
            return answers;
        } finally {
            callers.shutdownNow();
        }
    }

    private Callable<List<Answered>> conversation(
            String model, AgentTraces traces, AgentTraces.Conversation conversation, long begun) {
        return () -> {
            sleep(conversation.atSecond() - (System.nanoTime() - begun) / 1e9);
            var answers = new ArrayList<Answered>();
            var messages = JsonNodeFactory.instance.arrayNode();
            say(messages, "system", text(traces.prompts().get(conversation.agent())));
            for (var turn : conversation.turns()) {
                say(messages, "user", text(turn.said()));
                answers.add(ask(model, messages, turn.output()));
                say(messages, "assistant", AgentServers.text(turn.output()));
                sleep(turn.pauseSeconds());
            }
            return answers;
        };
    }

    private Answered ask(String model, ArrayNode messages, int output) {
        var body = JsonNodeFactory.instance
                .objectNode()
                .put("model", model)
                .put("stream", true)
                .put("max_completion_tokens", output);
        body.putObject("stream_options").put("include_usage", true);
        body.set("messages", messages);
        var firstNanos = new long[1];
        long begun = System.nanoTime();
        var events = caller.stream(PATH, body.toString(), event -> {
            if (firstNanos[0] == 0 && event.data().contains("\"content\":\" word")) {
                firstNanos[0] = System.nanoTime() - begun;
            }
        });
        var cached = Streams.bodies(events).getLast().at("/usage/prompt_tokens_details/cached_tokens");
        boolean whole = Streams.chatText(events, "content").equals(AgentServers.text(output));
        if (!whole || firstNanos[0] == 0 || !cached.isInt()) {
            throw new IllegalStateException("a turn was not answered as its server said: " + events.getLast());
        }
        return new Answered(firstNanos[0], cached.asLong());
    }

    /// What the servers did is what the API told.
    private static void check(List<Answered> answers, RoutingFigures figures) {
        long told = answers.stream().mapToLong(Answered::warm).sum();
        if (answers.size() != figures.requests() || told != figures.warmTokens()) {
            throw new IllegalStateException("%d turns with %d warm tokens were told, and servers had %d with %d"
                    .formatted(answers.size(), told, figures.requests(), figures.warmTokens()));
        }
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

    private static AgentTraces.Span span(int from, int to) {
        return new AgentTraces.Span(from, to);
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep(Duration.ofNanos((long) (Math.max(0, seconds) * 1e9)));
    }

    /// @param answers none for a simulation, which has no callers
    private static void print(String rule, String where, RoutingFigures figures, List<Answered> answers) {
        System.out.printf(
                Locale.ROOT,
                "| %d | %s | %s | %d | %.1f %% | %s | %s | %.2f | %.2f | %.2f | %.2f | %s |%n",
                AGENTS,
                rule,
                where,
                figures.requests(),
                100 * figures.warm(),
                first(answers, 50),
                first(answers, 99),
                figures.seconds(50),
                figures.seconds(99),
                figures.mostRequests(),
                figures.mostComputed(),
                answers.isEmpty() ? "" : loadAverage());
    }

    private static String first(List<Answered> answers, int percent) {
        return answers.isEmpty()
                ? ""
                : seconds(Percentile.of(answers.stream().mapToLong(Answered::firstNanos), percent));
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e9);
    }

    private static String loadAverage() {
        return String.format(
                Locale.ROOT,
                "%.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
