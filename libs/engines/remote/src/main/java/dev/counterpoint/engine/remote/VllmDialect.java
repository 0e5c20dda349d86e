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

/// vLLM's `/v1/completions`, 0.10.2 or newer, with ids instead of text.
public record VllmDialect() implements VllmServer {
    @Override
    public String path() {
        return "/v1/completions";
    }

    @Override
    public String refusal(ServerFailure failure) {
        return Set.of(404, 405, 501).contains(failure.status())
                ? "has no " + path() + " (HTTP " + failure.status()
                        + "): start a vLLM that generates, without --runner pooling"
                : VllmServer.super.refusal(failure);
    }

    @Override
    public ObjectNode request(ServerRequest ask) {
        var body = VllmFields.begin("prompt", ask);
        VllmFields.addSampling(body, ask);
        VllmFields.addRequest(body, ask);
        body.put("return_token_ids", true);
        // Names the tokens of log probabilities by id.
        body.put("return_tokens_as_token_ids", true);
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
        var finish = CommonFields.finish(choice.path("finish_reason"));
        var stop = choice.path("stop_reason");
        return new TokenChunk(
                tokens(choice, ask), finish, stop.isInt() ? Integer.valueOf(TokenIds.id(stop)) : null, null);
    }

    private static List<Step.Token> tokens(JsonNode choice, ServerRequest ask) throws ServerFailure {
        int[] ids = TokenIds.array(choice.path("token_ids"), "token_ids");
        if (ask.sampling().topLogprobs() == null || ids.length == 0) {
            return TokenIds.unrated(ids, ask);
        }
        var chosen = choice.path("logprobs").path("token_logprobs");
        var top = choice.path("logprobs").path("top_logprobs");
        if (chosen.size() != ids.length) {
            throw ServerFailure.wrong("an event has not one log probability for each token");
        }
        var tokens = new ArrayList<Step.Token>();
        for (int i = 0; i < ids.length; i++) {
            tokens.add(new Step.Token(ids[i], logprobs(chosen.get(i), top.path(i), ask)));
        }
        return tokens;
    }

    /// Of the best tokens, and of the chosen one even where it is not among them.
    private static TokenLogprobs logprobs(JsonNode chosen, JsonNode top, ServerRequest ask) throws ServerFailure {
        var alternatives = new ArrayList<Alternative>();
        for (var entry : top.properties()) {
            alternatives.add(new Alternative(TokenIds.idInText(entry.getKey()), TokenIds.logprob(entry.getValue())));
        }
        return TokenIds.logprobs(TokenIds.logprob(chosen), alternatives, ask);
    }
}
