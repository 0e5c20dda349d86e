package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Fields that requests and answers of several kinds of servers have in common.
final class CommonFields {
    private CommonFields() {}

    static void addIds(ObjectNode to, String name, ServerRequest ask) {
        var ids = to.putArray(name);
        for (int id : ask.ids()) {
            ids.add(id);
        }
    }

    static void addSampling(ObjectNode to, ServerRequest ask) {
        var sampling = ask.sampling();
        to.put("temperature", sampling.temperature());
        to.put("top_p", sampling.topP());
        to.put("min_p", sampling.minP());
        to.put("presence_penalty", sampling.presencePenalty());
        to.put("frequency_penalty", sampling.frequencyPenalty());
    }

    static void addStopTokens(ObjectNode to, ServerRequest ask) {
        var stops = to.putArray("stop_token_ids");
        ask.stopTokens().stream().sorted().forEach(stops::add);
    }

    /// For a server that takes no list of allowed tokens: lifts them above all others.
    ///
    /// @param force of the bias that does so
    static void lift(Map<Integer, Double> bias, ServerRequest ask, double force) {
        if (!ask.only().isEmpty()) {
            bias.keySet().retainAll(ask.only());
            ask.only().forEach(token -> bias.merge(token, force, Double::sum));
        }
    }

    /// A number of tokens, or null where the server does not tell.
    static @Nullable Integer count(JsonNode value) {
        return value.isInt() && value.intValue() >= 0 ? Integer.valueOf(value.intValue()) : null;
    }

    /// What an error inside a stream of status 200 means.
    static ServerFailure error(JsonNode error) {
        int code = error.path("code").asInt();
        return code == 0
                ? ServerFailure.broken("the server reports an error")
                : ServerFailure.reported(code, error.path("message").asText());
    }

    /// As vLLM and SGLang name why an output ends.
    static TokenChunk.Finish finish(JsonNode reason) throws ServerFailure {
        if (reason.isMissingNode() || reason.isNull()) {
            return TokenChunk.Finish.NONE;
        }
        return switch (reason.asText()) {
            case "stop" -> TokenChunk.Finish.STOP;
            case "length" -> TokenChunk.Finish.LENGTH;
            case "abort" -> throw ServerFailure.broken("the server aborted the request");
            default -> throw ServerFailure.wrong("the server stopped for a reason that is not known here");
        };
    }
}
