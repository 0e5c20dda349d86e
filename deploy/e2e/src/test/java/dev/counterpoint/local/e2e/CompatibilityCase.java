package dev.counterpoint.local.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// A case of the compatibility test of openai/gpt-oss: a question that a tool is there for.
///
/// @param tool that is to be called
record CompatibilityCase(String question, String tool) {
    /// All cases, or none of the tests that need them run where the data is not there and need not be.
    static List<CompatibilityCase> all() {
        var cases = new ArrayList<CompatibilityCase>();
        read("openai-gpt-oss/compatibility-test/cases.jsonl")
                .lines()
                .map(ApiClient::tree)
                .forEach(line -> cases.add(new CompatibilityCase(
                        line.path("input").asText(), line.path("tool_name").asText())));
        return cases;
    }

    /// The functions of all cases; besides what the contract has, `output` is what each gives back.
    static List<JsonNode> tools() {
        var tools = new ArrayList<JsonNode>();
        ApiClient.tree(read("derived/compat_tools.json")).forEach(tools::add);
        return tools;
    }

    private static String read(String file) {
        var path = ConformanceFiles.find("harmony/" + file);
        assumeTrue(path.isPresent());
        try {
            return Files.readString(path.get());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
