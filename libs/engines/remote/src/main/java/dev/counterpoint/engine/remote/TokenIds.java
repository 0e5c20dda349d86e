package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Token ids and log probabilities in the servers' JSON.
final class TokenIds {
    /// Ids that a gpt-oss model has a row for.
    static final int VOCABULARY = 201_088;

    /// Stands for a log probability that is not known or not finite, as in OpenAI's API.
    static final double UNKNOWN_LOGPROB = -9999;

    private static final String PREFIX = "token_id:";

    private TokenIds() {}

    /// @param name of the field, for the message
    static int[] array(JsonNode node, String name) throws ServerFailure {
        if (!node.isArray()) {
            throw ServerFailure.wrong("an event has no " + name);
        }
        int[] ids = new int[node.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(node.get(i));
        }
        return ids;
    }

    static int id(JsonNode node) throws ServerFailure {
        if (!node.isInt()) {
            throw ServerFailure.wrong("a token id is not an integer");
        }
        return checked(node.intValue());
    }

    /// Of `token_id:123`, as vLLM names tokens where it would else give their text.
    static int idInText(String text) throws ServerFailure {
        try {
            if (text.startsWith(PREFIX)) {
                return checked(Integer.parseInt(text, PREFIX.length(), text.length(), 10));
            }
        } catch (NumberFormatException e) {
            // The same fault.
        }
        throw ServerFailure.wrong("a token of the log probabilities has no id");
    }

    /// llama-server has `id` and vLLM `token_id`, or before 0.32 a text.
    private static int namedId(JsonNode named) throws ServerFailure {
        for (var name : List.of("id", "token_id")) {
            if (named.has(name)) {
                return id(named.path(name));
            }
        }
        return idInText(named.path("token").asText());
    }

    private static int checked(int id) throws ServerFailure {
        if (id < 0 || id >= VOCABULARY) {
            throw ServerFailure.wrong("a token id is outside the vocabulary");
        }
        return id;
    }

    static double logprob(JsonNode node) {
        return node.isNumber() ? Math.clamp(node.doubleValue(), UNKNOWN_LOGPROB, 0) : UNKNOWN_LOGPROB;
    }

    /// The data that a server sends about the token at a place of its event.
    @FunctionalInterface
    interface Rating {
        TokenLogprobs at(int place) throws ServerFailure;
    }

    /// The tokens of an event, with their log probabilities if the request wants them.
    static List<Step.Token> rated(int[] ids, ServerRequest ask, Rating rating) throws ServerFailure {
        boolean wanted = ask.sampling().topLogprobs() != null;
        var tokens = new ArrayList<Step.Token>();
        for (int place = 0; place < ids.length; place++) {
            tokens.add(new Step.Token(ids[place], wanted ? rating.at(place) : null));
        }
        return tokens;
    }

    /// Of an entry that holds a log probability and the best tokens of its place.
    static TokenLogprobs logprobs(JsonNode entry, ServerRequest ask) throws ServerFailure {
        var alternatives = new ArrayList<Alternative>();
        for (var other : entry.path("top_logprobs")) {
            alternatives.add(new Alternative(namedId(other), logprob(other.path("logprob"))));
        }
        return logprobs(entry.path("logprob"), alternatives, ask);
    }

    /// @param top in any order, and perhaps more than were asked for
    static TokenLogprobs logprobs(JsonNode chosen, List<Alternative> top, ServerRequest ask) {
        var wanted = ask.sampling().topLogprobs();
        var best = top.stream()
                .sorted(Comparator.comparingDouble(Alternative::logprob).reversed())
                .limit(wanted == null ? 0 : wanted)
                .toList();
        return new TokenLogprobs(logprob(chosen), best);
    }

    /// A token of which the server does not say how probable it was.
    static Step.Token unrated(int id, Sampling sampling) {
        return new Step.Token(
                id, sampling.topLogprobs() == null ? null : new TokenLogprobs(UNKNOWN_LOGPROB, List.of()));
    }
}
