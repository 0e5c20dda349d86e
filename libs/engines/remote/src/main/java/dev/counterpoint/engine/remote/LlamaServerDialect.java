package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// llama-server's `/completion`.
///
/// It stops at strings and at the model's own stop tokens, not at ids: others are watched for here, and
/// end the connection. It has no salt, and its cache may even hand a prompt the state of another
/// (github.com/ggml-org/llama.cpp/issues/27148): it is told to keep nothing, except where its operator
/// says that all its prompts are one tenant's, and there only as long as no second salt was seen.
public final class LlamaServerDialect extends ServerDialect {
    /// So many tokens can one character have after its first: the server shows none of them before it
    /// has the last.
    private static final int CHARACTER_REST_MAX = 3;

    /// llama.cpp adds any number; this one leaves the distances between the lifted ones as they are, to four digits.
    private static final double FORCE = 1000;

    private final boolean oneTenant;
    private @Nullable String salt;
    private boolean manySalts;

    /// @param oneTenant whether everything that the server is ever asked, by whoever, is one tenant's
    public LlamaServerDialect(boolean oneTenant) {
        super("llama-server", "/completion", GrammarNotation.GBNF);
        this.oneTenant = oneTenant;
    }

    /// The facts that llama-server reports: `tools/server/README.md`, `GET /props`, `POST /tokenize`.
    @Override
    ServerProfile profile(ServerQuestioning questions) throws ServerFailure, InterruptedException {
        var properties = questions.get("/props");
        // Whether it serves ours; its context stands in its properties.
        questions.model();
        var body =
                JsonNodeFactory.instance.objectNode().put("add_special", false).put("parse_special", true);
        questions.requireHarmony(body, "content");
        var context = count(properties.path("default_generation_settings").path("n_ctx"));
        return new ServerProfile(
                properties.path("build_info").asText(),
                context,
                count(properties.path("total_slots")),
                ServerProfile.Priorities.NONE,
                List.of());
    }

    @Override
    ObjectNode request(ServerRequest ask) {
        var body = JsonNodeFactory.instance.objectNode();
        addIds(body, "prompt", ask);
        body.put("n_predict", ask.maxTokens() + CHARACTER_REST_MAX);
        body.put("stream", true);
        body.put("return_tokens", true);
        body.put("return_progress", true);
        body.put("cache_prompt", mayKeep(ask.cacheSalt()));
        addSampling(body, ask);
        addBias(body, ask);
        if (ask.grammar() != null) {
            body.put("grammar", ask.grammar());
        }
        return body;
    }

    private synchronized boolean mayKeep(String saltOfRequest) {
        if (saltOfRequest.isEmpty()) {
            // Nobody's, as the survey's.
            return false;
        }
        manySalts |= salt != null && !salt.equals(saltOfRequest);
        salt = saltOfRequest;
        return oneTenant && !manySalts;
    }

    /// Everything that the server's command line could set otherwise is said.
    private static void addSampling(ObjectNode to, ServerRequest ask) {
        var sampling = ask.sampling();
        var samplers = to.putArray("samplers");
        List.of("penalties", "temperature", "top_p", "min_p").forEach(samplers::add);
        addCommonSampling(to, ask);
        to.put("dynatemp_range", 0);
        to.put("mirostat", 0);
        to.put("repeat_penalty", 1.0);
        to.put("repeat_last_n", ask.ids().length + ask.maxTokens() + CHARACTER_REST_MAX);
        to.put("ignore_eos", false);
        if (ask.seedFromHere() != null) {
            to.put("seed", ask.seedFromHere());
        }
        var alternatives = sampling.topLogprobs();
        // With 0 there would be none of the chosen token either.
        to.put("n_probs", alternatives == null ? 0 : Math.max(1, alternatives));
        to.put("post_sampling_probs", false);
    }

    private static void addBias(ObjectNode to, ServerRequest ask) {
        var bias = ask.biasWithoutPrompt();
        lift(bias, ask, FORCE);
        bias.keySet().removeAll(ask.banned());
        var field = to.putArray("logit_bias");
        bias.forEach((token, value) -> field.addArray().add(token).add(value));
        ask.banned().forEach(token -> field.addArray().add(token).add(false));
    }

    @Override
    TokenChunk read(JsonNode event, ServerRequest ask, int seen) throws ServerFailure {
        if (event.has("error")) {
            throw error(event.path("error"));
        }
        if (event.has("prompt_progress")) {
            // Comes with a token that means nothing.
            return TokenChunk.ofCached(count(event.path("prompt_progress").path("cache")));
        }
        if (!event.path("stop").isBoolean() || !event.path("tokens_predicted").isInt()) {
            throw ServerFailure.wrong("an event has no stop or no tokens_predicted");
        }
        int fresh = event.path("tokens_predicted").intValue() - seen;
        var tokens = tokens(event, ask, fresh);
        if (tokens.size() != fresh) {
            throw ServerFailure.wrong("the server kept tokens back");
        }
        boolean stopped = event.path("stop").booleanValue();
        return new TokenChunk(tokens, stopped ? finish(event.path("stop_type")) : TokenChunk.Finish.NONE, null, null);
    }

    private static List<Step.Token> tokens(JsonNode event, ServerRequest ask, int fresh) throws ServerFailure {
        int[] ids = TokenIds.array(event.path("tokens"), "tokens");
        var tokens = new ArrayList<Step.Token>();
        int lost = fresh - ids.length;
        if (lost > 0 && ids.length == 1) {
            SplitCharacter.before(ids[0], event.path("content").asText(), lost)
                    .forEach(id -> tokens.add(TokenIds.unrated(id, ask.sampling())));
        }
        // A server that drafts tokens ahead rates none of those that it took over.
        var rated = event.path("completion_probabilities");
        tokens.addAll(TokenIds.rated(ids, ask, place -> TokenIds.logprobs(rated.path(place), ask)));
        return tokens;
    }
}
