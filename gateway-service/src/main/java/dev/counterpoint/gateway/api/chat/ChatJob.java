package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.request.AnswerFormats;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.request.SchemaRules;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.ResponseFormat;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes a model's job of a request to Chat Completions.
final class ChatJob {
    private static final SchemaRules.Place SCHEMA = new SchemaRules.Place("response_format", null);
    private static final SchemaRules.Place OUR_SCHEMA = new SchemaRules.Place("response_schema", null);

    private ChatJob() {}

    /// Facts that a translation needs and the request does not say.
    ///
    /// @param effort `low`, `medium` or `high`
    /// @param date today's, for the model
    /// @param reasoning what its reasoning is bound to, and how long it may be
    /// @param options what the caller said to a model under a template of its own
    record Facts(String effort, String date, GenerationJob.ReasoningTerms reasoning, ModelOptions options) {}

    /// @throws WireException that names the member
    static GenerationJob of(ChatRequest request, List<PromptItem> prompt, Facts facts) {
        var terms = ChatTools.terms(request);
        return new GenerationJob(
                prompt,
                terms.functions(),
                terms.choice(),
                facts.effort,
                facts.date,
                format(request, prompt),
                SamplingOptions.of(request).sampling(),
                tokensMax(request),
                facts.reasoning,
                new GenerationJob.Leeway(Boolean.FALSE.equals(request.parallelToolCalls()), false),
                facts.options);
    }

    private static int tokensMax(ChatRequest request) {
        var max = request.maxCompletionTokens() == null ? request.maxTokens() : request.maxCompletionTokens();
        return max == null ? 0 : max;
    }

    private static GenerationJob.@Nullable ResponseFormat format(ChatRequest request, List<PromptItem> prompt) {
        return switch (request.format()) {
            case null -> null;
            case ResponseFormat.Text _ -> null;
            case ResponseFormat.JsonObject _ -> {
                if (!AnswerFormats.mentionsJson(prompt)) {
                    throw new WireException(
                            "messages",
                            null,
                            "'messages' must contain the word 'json' in some form, to use 'response_format' of type"
                                    + " 'json_object'.");
                }
                yield AnswerFormats.jsonObject();
            }
            case ResponseFormat.JsonSchema(ResponseFormat.Schema schema) ->
                AnswerFormats.schema(
                        "response_format.json_schema",
                        new AnswerFormats.Asked(schema.name(), schema.description(), schema.schema(), schema.strict()),
                        request.responseSchema() == null ? SCHEMA : OUR_SCHEMA);
            case ResponseFormat.Unknown other -> throw AnswerFormats.unknown("response_format.type", other.type());
        };
    }
}
