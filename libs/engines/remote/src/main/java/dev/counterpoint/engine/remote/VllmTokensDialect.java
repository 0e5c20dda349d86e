package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// vLLM's `/inference/v1/generate`, in a version whose token endpoint streams: ids in and out, no text
/// at all.
public record VllmTokensDialect() implements VllmServer {
    @Override
    public String path() {
        return "/inference/v1/generate";
    }

    @Override
    public String refusal(ServerFailure failure) {
        return Set.of(403, 404, 405, 501).contains(failure.status())
                ? "keeps " + path() + " closed (HTTP " + failure.status()
                        + "): start it with --enable-scale-out, or take worker.engine=vllm"
                : VllmServer.super.refusal(failure);
    }

    @Override
    public ObjectNode request(ServerRequest ask) {
        var body = VllmFields.begin("token_ids", ask);
        var sampling = body.putObject("sampling_params");
        VllmFields.addSampling(sampling, ask);
        sampling.put("detokenize", false);
        VllmFields.addRequest(body, ask);
        return body;
    }

    @Override
    public Answer answer(ServerRequest ask) {
        return event -> read(event, ask);
    }

    private static TokenChunk read(JsonNode event, ServerRequest ask) throws ServerFailure {
        var choice = VllmFields.choice(event);
        if (choice == null) {
            return VllmFields.usage(event);
        }
        return new TokenChunk(tokens(choice, ask), CommonFields.finish(choice.path("finish_reason")));
    }

    private static List<Step.Token> tokens(JsonNode choice, ServerRequest ask) throws ServerFailure {
        int[] ids = TokenIds.array(choice.path("token_ids"), "token_ids");
        if (ask.sampling().topLogprobs() == null) {
            return TokenIds.unrated(ids, ask);
        }
        var content = choice.path("logprobs").path("content");
        if (content.size() != ids.length) {
            throw ServerFailure.wrong("an event has not one log probability for each token");
        }
        var tokens = new ArrayList<Step.Token>();
        for (int i = 0; i < ids.length; i++) {
            tokens.add(new Step.Token(ids[i], logprobs(content.get(i), ask)));
        }
        return tokens;
    }

    /// The chosen token stands among the best ones, if need be instead of the last of them.
    private static TokenLogprobs logprobs(JsonNode entry, ServerRequest ask) throws ServerFailure {
        var alternatives = new ArrayList<Alternative>();
        for (var other : entry.path("top_logprobs")) {
            // By number since vLLM 0.32, where older ones have a text.
            int id = other.has("token_id")
                    ? TokenIds.id(other.path("token_id"))
                    : TokenIds.idInText(other.path("token").asText());
            alternatives.add(new Alternative(id, TokenIds.logprob(other.path("logprob"))));
        }
        return TokenIds.logprobs(TokenIds.logprob(entry.path("logprob")), alternatives, ask);
    }
}
