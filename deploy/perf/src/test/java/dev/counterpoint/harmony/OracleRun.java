package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.counterpoint.harmony.render.ReferenceCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Generated conversations, schemas, texts and token streams, given to both references and to this module: every answer
/// is the same, errors included.
///
/// System properties: `seed`, `oracle.cases` (how many), `oracle.case` (only the one of this number), and `oracle`,
/// which as `required` fails where the references cannot be installed instead of skipping.
class OracleRun {
    private final long seed = Long.getLong("seed", 1);
    private final int cases = Integer.getInteger("oracle.cases", 100_000);
    private final int only = Integer.getInteger("oracle.case", -1);

    @Test
    void answersAsBothReferences() throws Exception {
        Map<ReferenceCodec, ReferenceInstallation> installed = new TreeMap<>();
        for (ReferenceCodec reference : ReferenceCodec.values()) {
            installed.put(reference, installation(reference));
        }
        int from = only < 0 ? 0 : only;
        int to = only < 0 ? cases : only + 1;
        try (var threads = Executors.newFixedThreadPool(installed.size())) {
            List<Future<OracleComparison>> runs = new ArrayList<>();
            installed.forEach((reference, installation) -> runs.add(threads.submit(() -> {
                try (var process = installation.start()) {
                    var comparison = new OracleComparison(reference, seed, process);
                    comparison.compare(from, to);
                    return comparison;
                }
            })));
            var differences = new ArrayList<String>();
            for (Future<OracleComparison> run : runs) {
                var comparison = run.get();
                System.out.println(comparison.summary());
                differences.addAll(comparison.differences());
            }
            assertThat(differences).isEmpty();
        }
    }

    private static ReferenceInstallation installation(ReferenceCodec reference) {
        try {
            return ReferenceInstallation.of(reference);
        } catch (IOException e) {
            var line = "oracle: " + reference + " cannot be installed: " + e.getMessage();
            if ("required".equals(System.getProperty("oracle"))) {
                throw new IllegalStateException(line, e);
            }
            System.out.println("skipped " + line);
            return abort(line);
        }
    }
}
