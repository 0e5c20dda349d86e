package dev.counterpoint.local.e2e;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/// How fast the suite streams what llama.cpp computes, beside llama.cpp alone with the same file, the same prompts'
/// length and the same threads, by turns.
final class SuiteBench {
    private static final List<Integer> SEQUENCES = List.of(1, 4, 16);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
    private static final String WANTED = System.getProperty("bench.models", "small,large");
    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    private static final int CONTEXT = 1024;
    private static final long POLL_NANOS = 100_000_000;
    /// Until the compilers of the services are done, which share the cores with the model.
    private static final Duration WARM_UP = Duration.ofSeconds(Integer.getInteger("bench.warm.seconds", 60));

    private static final Duration BARE_MAX = Duration.ofMinutes(10);

    /// @param tokens of an answer
    private record Model(String name, int layers, int width, int tokens) {}

    private static final List<Model> MODELS = List.of(new Model("small", 2, 64, 400), new Model("large", 12, 768, 128));

    /// @param firstMillis until every sequence has its first token
    /// @param rate tokens of all sequences a second, from their first ones on
    private record Figures(double firstMillis, double rate) {}

    private record Round(Figures suite, Figures bare) {}

    private final Path folder;
    private final RunningSuite suite;
    private final ApiClient caller;
    private int asked;
    private int promptTokens;

    private SuiteBench(Path folder) throws IOException {
        this.folder = folder;
        this.suite = new RunningSuite(folder);
        this.caller = suite.client(RunningSuite.SUMMARY_KEY);
    }

    static void main() throws IOException, InterruptedException, ExecutionException {
        var folder = Files.createTempDirectory(Path.of("target"), "suite-bench").toAbsolutePath();
        var bench = new SuiteBench(folder);
        try {
            bench.suite.startGateway().ready();
            System.out.println(
                    "| model | sequences | first token, ms: suite | alone | tokens/s: suite | alone | suite : alone |");
            System.out.println("|---|---:|---:|---:|---:|---:|---:|");
            for (var model : MODELS) {
                if (WANTED.contains(model.name())) {
                    bench.measure(model);
                }
            }
        } finally {
            bench.suite.close();
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void measure(Model model) throws InterruptedException, ExecutionException {
        var file = MadeUpModel.write(
                folder.resolve(model.name() + ".gguf"),
                Integer.toString(model.layers()),
                Integer.toString(model.width()));
        var settings = new HashMap<>(file.environment());
        settings.putAll(Map.of(
                "WORKER_MODEL_NAME", model.name(),
                "WORKER_LLAMA_SLOTS", "16",
                "WORKER_LLAMA_CONTEXT_LENGTH", Integer.toString(CONTEXT),
                "WORKER_LLAMA_CONTEXT_TOKENS", Integer.toString(16 * CONTEXT),
                "WORKER_LLAMA_THREADS", Integer.toString(THREADS)));
        var worker = suite.startWorker(settings).ready();
        while (caller.get("/v1/models/" + model.name()).status() != 200) {
            LockSupport.parkNanos(POLL_NANOS); // the gateway hears of a worker by its beat
        }
        long warmUntil = System.nanoTime() + WARM_UP.toNanos();
        while (System.nanoTime() < warmUntil) {
            through(model, 4);
        }
        for (int sequences : SEQUENCES) {
            var rounds = new ArrayList<Round>();
            for (int round = 0; round < ROUNDS; round++) {
                var through = through(model, sequences);
                rounds.add(new Round(through, alone(file.file(), sequences, model.tokens())));
            }
            print(model, sequences, rounds);
        }
        worker.process().stop(Duration.ofSeconds(10));
    }

    private Figures through(Model model, int sequences) throws InterruptedException, ExecutionException {
        var heard = new ArrayList<TimedStream>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<TimedStream>>();
            for (int i = 0; i < sequences; i++) {
                int number = asked++;
                answers.add(callers.submit(() -> TimedStream.of(caller, model.name(), number, model.tokens())));
            }
            for (var answer : answers) {
                heard.add(answer.get());
            }
        }
        promptTokens = heard.getFirst().promptTokens();
        double first =
                heard.stream().mapToDouble(TimedStream::firstMillis).max().orElseThrow();
        return new Figures(
                first,
                heard.stream().mapToDouble(each -> each.rate(model.tokens())).sum());
    }

    private Figures alone(Path file, int sequences, int tokens) {
        var arguments = List.of(
                file.toString(),
                Integer.toString(sequences),
                Integer.toString(promptTokens),
                Integer.toString(tokens),
                Integer.toString(THREADS),
                Integer.toString(16 * CONTEXT));
        try (var bare = MadeUpModel.program("BareLoop", folder.resolve("bare.log"), arguments)) {
            bare.awaitLine("end", BARE_MAX);
            var line = bare.output()
                    .lines()
                    .filter(each -> each.startsWith("bare "))
                    .toList();
            var figures = line.getLast().split(" ");
            return new Figures(Double.parseDouble(figures[1]), Double.parseDouble(figures[2]));
        }
    }

    private static void print(Model model, int sequences, List<Round> rounds) {
        System.out.printf(
                Locale.ROOT,
                "| %s, %.1f ms a step | %d | %.0f | %.0f | %.1f | %.1f | %.2f |%n",
                model.name(),
                1000 * sequences / median(rounds, round -> round.bare().rate()),
                sequences,
                median(rounds, round -> round.suite().firstMillis()),
                median(rounds, round -> round.bare().firstMillis()),
                median(rounds, round -> round.suite().rate()),
                median(rounds, round -> round.bare().rate()),
                median(rounds, round -> round.suite().rate() / round.bare().rate()));
        System.out.printf(
                Locale.ROOT,
                "<!-- load %.1f, ratios %s -->%n",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                rounds.stream()
                        .map(round -> "%.2f"
                                .formatted(round.suite().rate() / round.bare().rate()))
                        .toList());
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
        var sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
