package dev.counterpoint.harmony.bench;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Fetches the texts, installs the peers, measures all on one core and writes `results.md` into the bench's folder.
///
/// With `-Dbench.quick` every benchmark runs for a moment in this JVM, without peers: that they still work.
final class HarmonyBench {
    private static final int LOADS = 5;
    private static final Map<String, String> NAMES = Map.of(
            "parse", "parse",
            "renderCold", "render chat",
            "renderAgain", "render agent");

    private final boolean quick = Boolean.getBoolean("bench.quick");
    private final Map<String, List<Figure>> figures = new LinkedHashMap<>();
    /// What each of our benchmarks works on, by name; without times.
    private final Map<String, Figure> works = new HashMap<>();

    private HarmonyBench() {}

    static void main() throws IOException, InterruptedException, RunnerException {
        new HarmonyBench().run();
    }

    private void run() throws IOException, InterruptedException, RunnerException {
        new TextFetcher().fetchAll();
        var texts = Corpus.NAMES.stream().filter(Corpus::exists).toList();
        if (!texts.contains("code")) {
            throw new IOException("the JDK's lib/src.zip is needed for the bench's texts");
        }
        prepare(texts);
        var peers = new Peers(texts);
        if (!quick) {
            peers.installAll();
            stayOnOneCore();
        }
        measureOurs(texts);
        if (!quick) {
            measureLoad();
            figures.putAll(peers.measure());
            figures.forEach(this::compareTokens);
        }
        var markdown = new ResultTable(figures).markdown(texts);
        if (quick) {
            System.out.println("bench: every benchmark works; these figures are of cold code and mean nothing");
        } else {
            Files.writeString(Corpus.folder().resolve("results.md"), markdown);
        }
        System.out.println(markdown);
    }

    private void prepare(List<String> texts) throws IOException {
        for (String text : texts) {
            var tokenizer = HarmonyTokenizer.shared();
            int tokens = Arrays.stream(Corpus.documents(text))
                    .mapToInt(tokenizer::countTokens)
                    .sum();
            work("encode " + text, Corpus.bytes(text), tokens);
            work("decode " + text, Corpus.bytes(text), tokens);
        }
        work("encode letters", PieceBenchmark.LENGTH, 0);
        work("encode random letters", PieceBenchmark.LENGTH, 0);
        var conversations = new BenchConversations();
        var stream = conversations.stream();
        work("parse", 0, stream.length);
        work("render chat", 0, BenchConversations.tokens(conversations.chat()).length);
        work("render agent", 0, BenchConversations.tokens(conversations.agent()).length);
        var ids = ByteBuffer.allocate(stream.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ids.asIntBuffer().put(stream);
        Files.write(Corpus.folder().resolve("stream.ids"), ids.array());
        Files.writeString(Corpus.folder().resolve("conversation.json"), conversations.json(conversations.chat()));
        Files.writeString(Corpus.folder().resolve("agent.json"), conversations.json(conversations.agent()));
    }

    private void work(String name, long bytes, long tokens) {
        works.put(name, new Figure(name, 0, 0, bytes, tokens));
    }

    /// All programs started from here stay there, too.
    private static void stayOnOneCore() throws InterruptedException {
        int core = Runtime.getRuntime().availableProcessors() - 1;
        try {
            var process = Long.toString(ProcessHandle.current().pid());
            Commands.run(List.of("taskset", "-acp", Integer.toString(core), process), Map.of());
        } catch (IOException e) {
            System.out.println("bench: not bound to one core: " + e.getMessage());
        }
    }

    private void measureOurs(List<String> texts) throws RunnerException {
        var options = new OptionsBuilder()
                .include(HarmonyBench.class.getPackageName() + "\\..*")
                .param("text", texts.toArray(String[]::new))
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.SECONDS)
                .threads(1)
                .forks(quick ? 0 : 1)
                .warmupIterations(quick ? 0 : 3)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(quick ? 1 : 5)
                .measurementTime(quick ? TimeValue.milliseconds(200) : TimeValue.seconds(1))
                .build();
        for (RunResult result : new Runner(options).run()) {
            var method = result.getParams().getBenchmark();
            add(method.substring(method.lastIndexOf('.') + 1), result);
        }
    }

    private void add(String method, RunResult result) {
        double best = result.getPrimaryResult().getStatistics().getMin();
        boolean jtokkit = method.startsWith("jtokkit");
        String name = switch (method) {
            case "encode", "jtokkitEncode" -> "encode " + result.getParams().getParam("text");
            case "decode", "jtokkitDecode" -> "decode " + result.getParams().getParam("text");
            case "encodePiece" ->
                "encode " + result.getParams().getParam("piece").replaceAll("^letter$", "letters");
            default -> NAMES.getOrDefault(method, method);
        };
        figures.computeIfAbsent(jtokkit ? ResultTable.JTOKKIT : ResultTable.OURS, _ -> new ArrayList<>())
                .add(new Figure(name, best, best, work(name).bytes(), work(name).tokens()));
    }

    private Figure work(String name) {
        return works.getOrDefault(name, new Figure(name, 0, 0, 0, 0));
    }

    /// A peer that makes other tokens of a text than we does another work.
    private void compareTokens(String peer, List<Figure> theirs) {
        for (Figure figure : theirs) {
            long ours = work(figure.name()).tokens();
            if (ours > 0 && figure.tokens() != ours) {
                System.out.println("bench: " + figure.name() + " has " + ours + " tokens here and " + figure.tokens()
                        + " with " + peer);
            }
        }
    }

    private void measureLoad() throws IOException, InterruptedException {
        var java = ProcessHandle.current().info().command().orElse("java");
        var command = List.of(java, "-cp", System.getProperty("java.class.path"), LoadTime.class.getName());
        var loads = new ArrayList<Figure>();
        for (int i = 0; i < LOADS; i++) {
            loads.add(Figure.parse(Commands.run(command, Map.of()).getFirst()));
        }
        double best = loads.stream().mapToDouble(Figure::best).min().orElseThrow();
        figures.computeIfAbsent(ResultTable.OURS, _ -> new ArrayList<>()).add(new Figure("load -", best, best, 0, 0));
    }
}
