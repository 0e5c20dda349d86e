package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.request.AnswerFormats;
import dev.counterpoint.gateway.request.ReasoningEfforts;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.request.SchemaRules;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ResponseEcho;
import dev.counterpoint.openai.responses.TextFormat;
import dev.counterpoint.openai.responses.Tool;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes a model's job of a request to the Responses API.
final class ResponsesJob {
    private static final String SCHEMA_CODE = "invalid_json_schema";
    private static final SchemaRules.Place SCHEMA = new SchemaRules.Place("text.format.schema", SCHEMA_CODE);
    private static final SchemaRules.Place OUR_SCHEMA = new SchemaRules.Place("response_schema", SCHEMA_CODE);

    private ResponsesJob() {}

    /// @param prompt the conversation
    /// @throws WireException that names the member
    static GenerationJob of(CreateResponse request, List<PromptItem> prompt, TranslatedRequest.Facts facts) {
        var terms = ResponsesTools.terms(request);
        var effort = request.reasoning() == null
                ? null
                : request.reasoning().options().effort();
        var sampling = SamplingOptions.of(request);
        return new GenerationJob(
                prompt,
                terms.functions(),
                terms.choice(),
                ReasoningEfforts.of("reasoning.effort", effort),
                facts.date(),
                format(request.format(), "text.format", request.responseSchema() == null ? SCHEMA : OUR_SCHEMA),
                sampling.sampling(),
                Objects.requireNonNullElse(request.maxOutputTokens(), 0),
                facts.reasoning(),
                new GenerationJob.Leeway(
                        Boolean.FALSE.equals(request.parallelToolCalls()), "auto".equals(request.truncation())),
                facts.ownTemplate()
                        ? sampling.serverOptions(effort != null, request.parallelToolCalls())
                        : ModelOptions.NONE);
    }

    /// The request as the response repeats it.
    static ResponseEcho echo(CreateResponse request, String model) {
        var tools = Objects.requireNonNullElse(request.tools(), List.<Tool>of());
        if (tools.stream().noneMatch(Tool.Mcp.class::isInstance)) {
            return ResponseEcho.of(request, model);
        }
        ObjectNode tree = (ObjectNode) WireJson.tree(request);
        var shown = tree.putArray("tools");
        ResponsesTools.withoutSecrets(tools).stream().map(WireJson::tree).forEach(shown::add);
        return ResponseEcho.of(WireJson.read(tree, CreateResponse.class), model);
    }

    /// Checks what an item sets.
    ///
    /// @param param of the item
    /// @throws WireException that names the member
    static void check(InputItem.ConfigurationUpdate update, String param) {
        if (update.reasoning() != null) {
            ReasoningEfforts.of(param + ".reasoning.effort", update.reasoning().effort());
        }
        if (update.text() != null) {
            var place = param + ".text.format";
            format(update.text().format(), place, new SchemaRules.Place(place + ".schema", SCHEMA_CODE));
        }
    }

    private static GenerationJob.@Nullable ResponseFormat format(
            @Nullable TextFormat format, String param, SchemaRules.Place place) {
        return switch (format) {
            case null -> null;
            case TextFormat.Text _ -> null;
            case TextFormat.JsonObject _ -> AnswerFormats.jsonObject();
            case TextFormat.JsonSchema schema ->
                AnswerFormats.schema(
                        param,
                        new AnswerFormats.Asked(schema.name(), schema.description(), schema.schema(), schema.strict()),
                        place);
            case TextFormat.Unknown other -> throw AnswerFormats.unknown(param + ".type", other.type());
        };
    }
}
