package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

    private static int checked(int id) throws ServerFailure {
        if (id < 0 || id >= VOCABULARY) {
            throw ServerFailure.wrong("a token id is outside the vocabulary");
        }
        return id;
    }

    static double logprob(@Nullable JsonNode node) {
        return node == null || !node.isNumber() ? UNKNOWN_LOGPROB : logprob(node.doubleValue());
    }

    private static double logprob(double logprob) {
        return Math.clamp(logprob, UNKNOWN_LOGPROB, 0);
    }

    /// @param top in any order, and perhaps more than were asked for
    static TokenLogprobs logprobs(double chosen, List<Alternative> top, ServerRequest ask) {
        var wanted = ask.sampling().topLogprobs();
        var best = top.stream()
                .sorted(Comparator.comparingDouble(Alternative::logprob).reversed())
                .limit(wanted == null ? 0 : wanted)
                .toList();
        return new TokenLogprobs(logprob(chosen), best);
    }

    /// A token of which the server does not say how probable it was.
    static Step.Token unrated(int id, ServerRequest ask) {
        return unrated(id, ask.sampling());
    }

    static Step.Token unrated(int id, Sampling sampling) {
        return new Step.Token(
                id, sampling.topLogprobs() == null ? null : new TokenLogprobs(UNKNOWN_LOGPROB, List.of()));
    }

    static List<Step.Token> unrated(int[] ids, ServerRequest ask) {
        return IntStream.of(ids).mapToObj(id -> unrated(id, ask)).toList();
    }
}
