package dev.counterpoint.worker.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// What vLLM's two endpoints have in common.
final class VllmFields {
    private static final double BIAS_MAX = 100;

    private VllmFields() {}

    /// Everything that the model's `generation_config.json` could set otherwise is said.
    static void addSampling(ObjectNode to, Ask ask) {
        var sampling = ask.sampling();
        // Without it older versions stop after 16.
        to.put("max_tokens", ask.maxTokens());
        to.put("temperature", sampling.temperature());
        to.put("top_p", sampling.topP());
        to.put("min_p", sampling.minP());
        to.put("top_k", -1);
        to.put("repetition_penalty", 1.0);
        to.put("presence_penalty", sampling.presencePenalty());
        to.put("frequency_penalty", sampling.frequencyPenalty());
        if (ask.seedFromHere() != null) {
            to.put("seed", ask.seedFromHere());
        }
        if (sampling.topLogprobs() != null) {
            to.put("logprobs", sampling.topLogprobs());
        }
        var stops = to.putArray("stop_token_ids");
        ask.stopTokens().stream().sorted().forEach(stops::add);
        // Else the model's own stop tokens end the output too.
        to.put("ignore_eos", true);
        to.put("include_stop_str_in_output", true);
        to.put("skip_special_tokens", false);
        addMask(to, ask);
    }

    private static void addMask(ObjectNode to, Ask ask) {
        var bias = ask.biasOfOutput();
        ask.banned().forEach(token -> bias.put(token, -BIAS_MAX));
        if (!bias.isEmpty()) {
            var field = to.putObject("logit_bias");
            bias.forEach((token, value) -> field.put(token.toString(), Math.clamp(value, -BIAS_MAX, BIAS_MAX)));
        }
        if (!ask.only().isEmpty()) {
            var field = to.putArray("allowed_token_ids");
            ask.only().stream().sorted().forEach(field::add);
        }
    }

    /// An empty salt is an error to the server.
    static void addSalt(ObjectNode to, Ask ask) {
        if (!ask.cacheSalt().isEmpty()) {
            to.put("cache_salt", ask.cacheSalt());
        }
    }

    /// Errors come inside a stream of status 200 too.
    static void checkForError(JsonNode event) throws RemoteFailure {
        if (event.has("error") || "error".equals(event.path("object").asText())) {
            throw RemoteFailure.broken("the server reports an error");
        }
        if (!event.path("choices").isArray()) {
            throw RemoteFailure.wrong("an event has no choices");
        }
    }

    static Chunk.Finish finish(JsonNode reason) throws RemoteFailure {
        if (reason.isMissingNode() || reason.isNull()) {
            return Chunk.Finish.NONE;
        }
        return switch (reason.asText()) {
            case "stop" -> Chunk.Finish.STOP;
            case "length" -> Chunk.Finish.LENGTH;
            case "abort" -> throw RemoteFailure.broken("the server aborted the request");
            default -> throw RemoteFailure.wrong("the server stopped for a reason that is not known here");
        };
    }
}
