package dev.counterpoint.structured;

import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Compiles the sample's schemas and reads their values with all masks on one core, then has the peers do the same,
/// and writes `results.md` into `target/masks`. With `-Dbench.quick` a few schemas, without peers: that it still
/// works.
final class MaskBench {
    static final String FIRST = "ours, first pass";
    static final String EMPTY = "ours, empty caches";
    static final String WARM = "ours, warm";
    static final String WARM_SAME = "ours, warm, where llguidance compiles";

    private static final int WARM_PASSES = 3;
    private static final int QUICK_SCHEMAS = 10;

    private final boolean quick = Boolean.getBoolean("bench.quick");
    private final Map<String, SchemaReport> reports = new LinkedHashMap<>();
    private final List<SchemaCase> cases;

    private MaskBench(List<SchemaCase> cases) {
        this.cases = quick ? cases.subList(0, QUICK_SCHEMAS) : cases;
    }

    static void main() throws IOException, InterruptedException {
        var file = ConformanceFiles.find("schemas/dev-sample.jsonl");
        if (file.isEmpty()) {
            System.out.println("bench: no schemas, nothing measured");
            return;
        }
        new MaskBench(SchemaCase.read(file.get())).run();
    }

    private void run() throws IOException, InterruptedException {
        var peers = new MaskPeers(cases);
        if (!quick) {
            peers.installAll();
            stayOnOneCore();
        }
        measureOurs();
        if (!quick) {
            reports.putAll(peers.measure());
            compareOnTheirs();
        }
        var table = new MaskTable(reports).markdown();
        if (quick) {
            System.out.println("bench: it works; these figures are of cold code and mean nothing");
        } else {
            Files.writeString(Path.of("target", "masks", "results.md"), table);
        }
        System.out.println(table);
    }

    private void measureOurs() {
        var index = ModelTokens.newIndex();
        var pool = new RegexPool();
        measure(FIRST, index, () -> pool);
        if (!quick) {
            var otherIndex = ModelTokens.newIndex();
            var otherPool = new RegexPool();
            measure(EMPTY, otherIndex, () -> otherPool);
            for (int i = 0; i < WARM_PASSES; i++) {
                measure(WARM, index, () -> pool);
            }
        }
    }

    private void measure(String name, LexemeIndex index, Supplier<RegexPool> pool) {
        System.gc();
        var play = new SchemaPlay(index, SchemaOptions.STRICT, pool);
        reports.put(name, new SchemaReport(cases.stream().map(play::play).toList()));
    }

    /// Who refuses the hard schemas looks faster; this row leaves out what llguidance refuses.
    private void compareOnTheirs() {
        var theirs = reports.get(PeerInstallation.LLGUIDANCE);
        var ours = reports.get(WARM);
        if (theirs != null && ours != null) {
            Set<String> compiled = theirs.outcomes().stream()
                    .filter(one -> one.refused() == null)
                    .map(one -> one.schema().id())
                    .collect(Collectors.toSet());
            reports.put(
                    WARM_SAME,
                    new SchemaReport(ours.outcomes().stream()
                            .filter(one -> compiled.contains(one.schema().id()))
                            .toList()));
        }
    }

    /// All programs started from here stay there, too.
    private static void stayOnOneCore() throws InterruptedException {
        int core = Runtime.getRuntime().availableProcessors() - 1;
        try {
            var process = Long.toString(ProcessHandle.current().pid());
            var taskset = new ProcessBuilder("taskset", "-acp", Integer.toString(core), process)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (taskset.waitFor() != 0) {
                throw new IOException("taskset failed");
            }
        } catch (IOException e) {
            System.out.println("bench: not bound to one core: " + e.getMessage());
        }
    }
}
