package dev.counterpoint.gateway.chat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.turn.Formats;
import dev.counterpoint.gateway.turn.Offer;
import dev.counterpoint.openai.chat.AllowedTool;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.ChatTool;
import dev.counterpoint.openai.chat.ChatToolChoice;
import dev.counterpoint.openai.chat.FunctionName;
import dev.counterpoint.openai.chat.ResponseFormat;
import dev.counterpoint.openai.json.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a model is told of a request to Chat Completions.
final class ChatJob {
    private ChatJob() {}

    /// What does not stand in the request.
    ///
    /// @param effort `low`, `medium` or `high`
    /// @param date today's, for the model
    /// @param reasoning what its reasoning is bound to, and how long it may be
    record Facts(String effort, String date, GenerationJob.ReasoningTerms reasoning) {}

    /// @throws WireException that names the member
    static GenerationJob of(ChatRequest request, List<PromptItem> prompt, Facts facts) {
        var terms = terms(request);
        return new GenerationJob(
                prompt,
                terms.functions(),
                terms.choice(),
                facts.effort,
                facts.date,
                format(request.format()),
                sampling(request),
                tokensMax(request),
                facts.reasoning);
    }

    private static int tokensMax(ChatRequest request) {
        var max = request.maxCompletionTokens() == null ? request.maxTokens() : request.maxCompletionTokens();
        return max == null ? 0 : max;
    }

    private static GenerationJob.Sampling sampling(ChatRequest request) {
        var biases = new HashMap<Integer, Double>();
        Objects.requireNonNullElse(request.logitBias(), Map.<String, Double>of())
                .forEach((token, bias) -> biases.put(Integer.parseInt(token), bias));
        boolean logprobs = Boolean.TRUE.equals(request.logprobs());
        return new GenerationJob.Sampling(
                Objects.requireNonNullElse(request.temperature(), 1.0),
                Objects.requireNonNullElse(request.topP(), 1.0),
                Objects.requireNonNullElse(request.presencePenalty(), 0.0),
                Objects.requireNonNullElse(request.frequencyPenalty(), 0.0),
                request.seed(),
                logprobs ? Objects.requireNonNullElse(request.topLogprobs(), 0) : null,
                request.stop() == null ? List.of() : request.stop().sequences(),
                biases);
    }

    private static Offer.Terms terms(ChatRequest request) {
        var offer = new Offer();
        var tools = Objects.requireNonNullElse(request.tools(), List.<ChatTool>of());
        for (int i = 0; i < tools.size(); i++) {
            if (tools.get(i) instanceof ChatTool.Function tool) {
                var function = tool.function();
                offer.add(
                        Offer.function(
                                function.name(), function.description(), function.parameters(), function.strict()),
                        "tools[" + i + "].function.name");
            }
        }
        return switch (request.toolChoice()) {
            case null -> offer.mode("auto");
            case ChatToolChoice.Mode(String word) -> offer.mode(word);
            case ChatToolChoice.Function choice -> offer.only(choice.function().name());
            case ChatToolChoice.Custom _ -> throw Offer.hosted("custom");
            case ChatToolChoice.AllowedTools(ChatToolChoice.Allowed allowed) ->
                offer.allowed(allowed.mode(), names(allowed.tools()));
            case ChatToolChoice.Unknown other -> throw Offer.hosted(other.type());
        };
    }

    private static List<String> names(List<AllowedTool> tools) {
        var names = new ArrayList<String>();
        for (var tool : tools) {
            names.add(
                    switch (tool) {
                        case AllowedTool.Function(FunctionName function) -> function.name();
                        case AllowedTool.Custom _ -> throw Offer.hosted("custom");
                        case AllowedTool.Unknown other -> throw Offer.hosted(other.type());
                    });
        }
        return names;
    }

    private static GenerationJob.@Nullable ResponseFormat format(@Nullable ResponseFormat format) {
        return switch (format) {
            case null -> null;
            case ResponseFormat.Text _ -> null;
            case ResponseFormat.JsonObject _ -> Formats.jsonObject();
            case ResponseFormat.JsonSchema(ResponseFormat.Schema schema) ->
                Formats.schema(
                        "response_format.json_schema",
                        new GenerationJob.ResponseFormat(
                                schema.name(),
                                schema.description(),
                                schema.schema() == null ? "{}" : schema.schema().toString(),
                                Boolean.TRUE.equals(schema.strict())));
            case ResponseFormat.Unknown other -> throw Formats.unknown("response_format.type", other.type());
        };
    }
}
