package dev.counterpoint.cli;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a request to the model may say beside its input.
final class RequestOptions extends ConnectionOptions {
    /// The reasoning that is shown.
    enum Reasoning {
        none,
        summary,
        full
    }

    @Option(
            names = {"-m", "--model"},
            paramLabel = "MODEL",
            description = "Model; the first of the suite without it.")
    private @Nullable String model;

    @Option(
            names = "--reasoning",
            paramLabel = "MODE",
            defaultValue = "none",
            description = "Reasoning to show: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} without it. `full` uses"
                    + " COUNTERPOINT_RAW_API_KEY if it is set.")
    private Reasoning reasoning = Reasoning.none;

    @Option(names = "--effort", paramLabel = "EFFORT", description = "low, medium or high.")
    private @Nullable String effort;

    @Mixin
    private MemberOptions members = new MemberOptions();

    @Option(names = "--schema", paramLabel = "FILE", description = "JSON Schema that the answer must fit.")
    private @Nullable Path schema;

    @Option(
            names = "--tools",
            paramLabel = "FILE",
            description = "JSON array of tools, as the Responses API takes them.")
    private @Nullable Path tools;

    Reasoning reasoning() {
        return reasoning;
    }

    SuiteClient client() {
        boolean raw = reasoning == Reasoning.full
                && SuiteApi.OPENAI_RAW.key(environment()).isPresent();
        return client(raw ? SuiteApi.OPENAI_RAW : SuiteApi.OPENAI);
    }

    /// A request without its input.
    ObjectNode request(SuiteClient client) {
        var request = members.body().put("model", model == null ? firstModel(client) : model);
        if (effort == null) {
            request.put("reasoning", reasoning.name());
        } else {
            var wish = request.putObject("reasoning").put("effort", effort);
            if (reasoning == Reasoning.summary) {
                wish.put("summary", "auto");
            }
        }
        if (schema != null) {
            var format = request.putObject("text").putObject("format");
            format.put("type", "json_schema").put("name", "answer").put("strict", true);
            format.set("schema", file(schema));
        }
        if (tools != null) {
            request.set("tools", file(tools));
        }
        return request;
    }

    private static String firstModel(SuiteClient client) {
        var first = client.get("/models").at("/data/0/id");
        if (first.isMissingNode()) {
            throw CommandFailure.refused("The suite serves no model now.");
        }
        return first.asText();
    }

    private static JsonNode file(Path file) {
        try {
            return requireNonNull(SuiteClient.JSON.readTree(content(file)));
        } catch (JsonProcessingException e) {
            throw CommandFailure.notAsked(file + " holds no JSON.");
        }
    }
}
