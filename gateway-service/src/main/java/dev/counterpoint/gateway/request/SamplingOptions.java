package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.responses.CreateResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The options of both APIs that say how tokens are drawn: their rules, and what they become in a job. The last four
/// are no members of OpenAI's API; clients of vLLM, SGLang and llama-server send them. Models under a template of their
/// own take them; for a Harmony model they have no effect.
///
/// @param logprobs the number of likeliest tokens that each token comes with, or null for no probabilities
/// @param logitBias by the id of a token
/// @param template arguments of the chat template
public record SamplingOptions(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer logprobs,
        @Nullable Double presencePenalty,
        @Nullable Double frequencyPenalty,
        @Nullable Long seed,
        List<String> stop,
        Map<String, Double> logitBias,
        @Nullable Integer topK,
        @Nullable Double minP,
        @Nullable Double repetitionPenalty,
        TemplateArguments template) {
    /// What a request to the Responses API includes to get probabilities.
    public static final String LOGPROBS = "message.output_text.logprobs";
    private static final Set<String> SERVER_MEMBERS =
            Set.of("top_k", "min_p", "repetition_penalty", TemplateArguments.MEMBER);
    private static final double PENALTY_MIN = 0.01;
    private static final double PENALTY_MAX = 10;
    private static final int STOPS_MAX = 4;
    private static final int BIASES_MAX = 1024;
    /// Tokens of o200k_harmony.
    private static final int VOCABULARY = 201_088;

    public static SamplingOptions of(ChatRequest request) {
        boolean logprobs = Boolean.TRUE.equals(request.logprobs());
        return new SamplingOptions(
                request.temperature(),
                request.topP(),
                logprobs ? Objects.requireNonNullElse(request.topLogprobs(), 0) : null,
                request.presencePenalty(),
                request.frequencyPenalty(),
                request.seed(),
                request.stop() == null ? List.of() : request.stop().sequences(),
                Objects.requireNonNullElse(request.logitBias(), Map.of()),
                request.topK(),
                request.minP(),
                request.repetitionPenalty(),
                TemplateArguments.of(request.chatTemplateKwargs()));
    }

    public static SamplingOptions of(CreateResponse request) {
        int top = Objects.requireNonNullElse(request.topLogprobs(), 0);
        boolean included = request.include() != null && request.include().contains(LOGPROBS);
        return new SamplingOptions(
                request.temperature(),
                request.topP(),
                top != 0 || included ? Integer.valueOf(top) : null,
                null,
                null,
                null,
                List.of(),
                Map.of(),
                request.topK(),
                request.minP(),
                request.repetitionPenalty(),
                TemplateArguments.of(request.chatTemplateKwargs()));
    }

    /// @throws dev.counterpoint.openai.json.WireException that names the member
    public void check() {
        RequestRules.decimal("temperature", temperature, 0, 2);
        RequestRules.decimal("top_p", topP, 0, 1);
        RequestRules.integer("top_logprobs", logprobs, 0, 20);
        RequestRules.decimal("presence_penalty", presencePenalty, -2, 2);
        RequestRules.decimal("frequency_penalty", frequencyPenalty, -2, 2);
        RequestRules.require(stop.size() <= STOPS_MAX, "stop", "at most " + STOPS_MAX + " sequences are taken.");
        RequestRules.require(stop.stream().noneMatch(String::isEmpty), "stop", "a sequence is empty.");
        RequestRules.integer("top_k", topK, -1, Integer.MAX_VALUE);
        RequestRules.decimal("min_p", minP, 0, 1);
        RequestRules.decimal("repetition_penalty", repetitionPenalty, PENALTY_MIN, PENALTY_MAX);
        template.check();
        bias();
    }

    private void bias() {
        if (logitBias.size() > BIASES_MAX) {
            throw RequestRules.invalid("logit_bias", "at most " + BIASES_MAX + " tokens are taken.");
        }
        logitBias.forEach((token, bias) -> {
            if (!token.matches("\\d{1,9}") || Integer.parseInt(token) >= VOCABULARY) {
                throw RequestRules.invalid("logit_bias", "a key is the id of a token, 0 to " + (VOCABULARY - 1) + ".");
            }
            RequestRules.decimal("logit_bias." + token, bias, -100, 100);
        });
    }

    /// Paths of the members without an effect.
    ///
    /// @param ownTemplate whether the model has a template of its own
    public Set<String> withoutEffect(boolean ownTemplate) {
        return ownTemplate ? template.withoutEffect() : SERVER_MEMBERS;
    }

    /// True if the model's thinking is switched off.
    public boolean thinksNot() {
        return template.thinksNot();
    }

    /// The rules of a job for choosing tokens.
    public GenerationJob.Sampling sampling() {
        Map<Integer, Double> biases = new HashMap<>();
        logitBias.forEach((token, bias) -> biases.put(Integer.valueOf(token), bias));
        return new GenerationJob.Sampling(
                temperature,
                topP,
                Objects.requireNonNullElse(presencePenalty, 0.0),
                Objects.requireNonNullElse(frequencyPenalty, 0.0),
                seed,
                logprobs,
                stop,
                biases);
    }

    /// The options of a job for a model under a template of its own.
    ///
    /// @param effortSaid whether the request names an effort
    /// @param parallelCalls as the request says
    public ModelOptions serverOptions(boolean effortSaid, @Nullable Boolean parallelCalls) {
        return new ModelOptions(effortSaid, parallelCalls, topK, minP, repetitionPenalty, template.text());
    }

    /// Options may hold content.
    @Override
    public String toString() {
        return "SamplingOptions[stops=%d, biases=%d]".formatted(stop.size(), logitBias.size());
    }
}
