package dev.counterpoint.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// Everything that one run found, as tables for people and as JSON.
///
/// @param agents what an agent's long prompts took, by target
/// @param idle what the suite used in `idleSeconds` without a request, by process
record BenchResults(
        Pace pace,
        BenchOptions options,
        List<BenchCell> cells,
        List<AgentRun.Turns> agents,
        Map<String, ProcessUse> idle,
        long idleSeconds) {
    private static final ObjectMapper JSON = new ObjectMapper();

    BenchResults {
        cells = List.copyOf(cells);
    }

    void write() throws IOException {
        var folder = Files.createDirectories(options.output());
        JSON.writerWithDefaultPrettyPrinter()
                .writeValue(folder.resolve("results.json").toFile(), json());
        Files.writeString(folder.resolve("results.md"), table());
    }

    ObjectNode json() {
        var json = JSON.createObjectNode()
                .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("tokens", pace.tokens())
                .put("paceMillis", pace.gap().toMillis())
                .put("slots", options.slots())
                .put("idleSeconds", idleSeconds);
        json.set("idle", JSON.valueToTree(idle));
        json.set("agents", JSON.valueToTree(agents));
        var all = json.putArray("cells");
        for (var cell : cells) {
            ObjectNode node = JSON.valueToTree(cell);
            node.put("tokensPerSecond", cell.tokensPerSecond())
                    .put("cpuMicrosPerToken", cell.cpuMicrosPerToken(cell.cost().all()))
                    .put("saturated", cell.isSaturated());
            all.add(node);
        }
        return json;
    }

    String table() {
        return new BenchTable(this).text();
    }
}
