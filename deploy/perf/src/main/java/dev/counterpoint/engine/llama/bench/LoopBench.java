package dev.counterpoint.engine.llama.bench;

import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.llama.BareLoop;
import dev.counterpoint.engine.llama.GgufTestModel;
import dev.counterpoint.engine.llama.LlamaEngine;
import dev.counterpoint.engine.llama.LlamaOptions;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Tokens a second of the engine beside a [BareLoop] that takes the greatest logit, by turns in one JVM: at
/// temperature 1, greedy, and at temperature 1 under the masks of a schema. `of llama_decode` leaves the search for
/// the greatest logit out of the bare loop. The weights are random, or those of the file that `-Dcounterpoint.gguf`
/// names.
///
/// With `-Dbench.quick` a few tokens of each: that it still works.
final class LoopBench {
    private static final int SEQUENCES_MAX = 16;
    private static final int THREADS = 1;
    private static final int PROMPT_TOKENS = 32;
    private static final Sampling TEMPERATURE_1 = Sampling.DEFAULT.withSeed(1);

    private final BareLoop bare;
    private final LlamaEngine engine;
    private final int rounds;
    private final int tokens;

    private final JsonMask.Form form;

    private record Round(BareLoop.Pace bare, double temperature1, double greedy, double masked) {}

    private LoopBench(BareLoop bare, LlamaEngine engine, boolean quick) {
        this.bare = bare;
        this.engine = engine;
        this.form = new JsonMask.Form(engine.vocabulary().texts());
        this.rounds = quick ? 1 : Integer.getInteger("bench.rounds", 15);
        this.tokens = quick ? 6 : Integer.getInteger("bench.tokens", 257);
    }

    static void main() throws Exception {
        boolean quick = Boolean.getBoolean("bench.quick");
        if (!TestLibrary.isThere()) {
            return;
        }
        var source = TestLibrary.source();
        var named = System.getProperty("counterpoint.gguf", "");
        var file = named.isEmpty() ? GgufTestModel.file() : Path.of(named);
        int room = 8192;
        // No kept prefixes: the bare loop keeps none.
        var capacity = new LlamaOptions.Capacity(SEQUENCES_MAX, 1024, room, 128, 0);
        try (var bare = new BareLoop(file, SEQUENCES_MAX, THREADS, room);
                var engine = LlamaEngine.open(source, new LlamaOptions("made-up", file, capacity, THREADS))) {
            new LoopBench(bare, engine, quick).run();
        }
        if (quick) {
            System.out.println("bench: every benchmark works; these figures are of cold code and mean nothing");
        }
    }

    private void run() throws Exception {
        System.out.println("| sequences | bare | only llama_decode | temperature 1 | of bare | of llama_decode"
                + " | greedy | of bare | of llama_decode | masked | of bare | of llama_decode |");
        System.out.println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for (int sequences : new int[] {1, 4, SEQUENCES_MAX}) {
            round(sequences, 0); // warms up
            var measured = new ArrayList<Round>();
            for (int i = 0; i < rounds; i++) {
                measured.add(round(sequences, i));
            }
            print(sequences, measured);
        }
        System.out.printf(
                Locale.ROOT,
                "<!-- tokens/s of all sequences; medians of %d rounds (quartiles); load %.1f -->%n",
                rounds,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /// Each time another of the four begins.
    private Round round(int sequences, int number) throws Exception {
        BareLoop.@Nullable Pace pace = null;
        var rates = new double[3];
        for (int i = number; i < number + 4; i++) {
            switch (i % 4) {
                case 0 -> pace = bare.run(sequences, PROMPT_TOKENS, tokens);
                case 1 -> rates[0] = rate(TEMPERATURE_1, () -> TokenMask.ALL, sequences);
                case 2 -> rates[1] = rate(Sampling.GREEDY, () -> TokenMask.ALL, sequences);
                default -> rates[2] = rate(TEMPERATURE_1, form::mask, sequences);
            }
        }
        return new Round(Objects.requireNonNull(pace), rates[0], rates[1], rates[2]);
    }

    private double rate(Sampling sampling, Supplier<TokenMask> masks, int sequences) throws Exception {
        return new EngineTiming(engine, sampling, tokens, masks).rate(sequences, PROMPT_TOKENS);
    }

    private static void print(int sequences, List<Round> rounds) {
        System.out.printf(
                Locale.ROOT,
                "| %d | %.0f | %.0f | %.0f | %s | %s | %.0f | %s | %s | %.0f | %s | %s |%n",
                sequences,
                quartile(2, rounds, each -> each.bare.rate()),
                quartile(2, rounds, each -> each.bare.decodeRate()),
                quartile(2, rounds, Round::temperature1),
                ratio(rounds, each -> each.temperature1 / each.bare.rate()),
                ratio(rounds, each -> each.temperature1 / each.bare.decodeRate()),
                quartile(2, rounds, Round::greedy),
                ratio(rounds, each -> each.greedy / each.bare.rate()),
                ratio(rounds, each -> each.greedy / each.bare.decodeRate()),
                quartile(2, rounds, Round::masked),
                ratio(rounds, each -> each.masked / each.bare.rate()),
                ratio(rounds, each -> each.masked / each.bare.decodeRate()));
    }

    private static String ratio(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return "%.2f (%.2f–%.2f)"
                .formatted(quartile(2, rounds, figure), quartile(1, rounds, figure), quartile(3, rounds, figure));
    }

    private static double quartile(int number, List<Round> rounds, ToDoubleFunction<Round> figure) {
        var sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        return sorted[(sorted.length - 1) * number / 4];
    }
}
