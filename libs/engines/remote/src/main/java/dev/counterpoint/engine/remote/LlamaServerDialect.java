package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
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
public final class LlamaServerDialect implements ServerDialect {
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
        this.oneTenant = oneTenant;
    }

    @Override
    public String server() {
        return "llama-server";
    }

    @Override
    public GrammarNotation notation() {
        return GrammarNotation.GBNF;
    }

    @Override
    public String path() {
        return "/completion";
    }

    /// What llama-server says of itself: `tools/server/README.md`, `GET /props`, `POST /tokenize`.
    @Override
    public ServerProfile profile(ServerQuestioning questions) throws UnfitServerException, InterruptedException {
        var properties = questions.get("/props");
        // Whether it serves ours; its context stands in its properties.
        questions.model();
        var body =
                JsonNodeFactory.instance.objectNode().put("add_special", false).put("parse_special", true);
        questions.requireHarmony(body, "content");
        var context = CommonFields.count(
                properties.path("default_generation_settings").path("n_ctx"));
        return ServerProfile.UNKNOWN
                .withVersion(properties.path("build_info").asText())
                .withSizes(context, CommonFields.count(properties.path("total_slots")));
    }

    @Override
    public ObjectNode request(ServerRequest ask) {
        var body = JsonNodeFactory.instance.objectNode();
        CommonFields.addIds(body, "prompt", ask);
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
        CommonFields.addSampling(to, ask);
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
        CommonFields.lift(bias, ask, FORCE);
        bias.keySet().removeAll(ask.banned());
        var field = to.putArray("logit_bias");
        bias.forEach((token, value) -> field.addArray().add(token).add(value));
        ask.banned().forEach(token -> field.addArray().add(token).add(false));
    }

    @Override
    public Answer answer(ServerRequest ask) {
        return new LlamaServerAnswer(ask);
    }

    private static final class LlamaServerAnswer implements Answer {
        private final ServerRequest ask;
        private int seen;

        LlamaServerAnswer(ServerRequest ask) {
            this.ask = ask;
        }

        @Override
        public TokenChunk read(JsonNode event) throws ServerFailure {
            if (event.has("error")) {
                throw CommonFields.error(event.path("error"));
            }
            if (event.has("prompt_progress")) {
                // Comes with a token that means nothing.
                return TokenChunk.ofCached(
                        CommonFields.count(event.path("prompt_progress").path("cache")));
            }
            if (!event.path("stop").isBoolean()
                    || !event.path("tokens_predicted").isInt()) {
                throw ServerFailure.wrong("an event has no stop or no tokens_predicted");
            }
            var tokens = tokens(event);
            int predicted = event.path("tokens_predicted").intValue();
            seen += tokens.size();
            if (seen != predicted) {
                throw ServerFailure.wrong("the server kept tokens back");
            }
            return new TokenChunk(tokens, finish(event));
        }

        private static TokenChunk.Finish finish(JsonNode event) throws ServerFailure {
            if (!event.path("stop").booleanValue()) {
                return TokenChunk.Finish.NONE;
            }
            return switch (event.path("stop_type").asText()) {
                case "eos", "word" -> TokenChunk.Finish.STOP;
                case "limit" -> TokenChunk.Finish.LENGTH;
                default -> throw ServerFailure.wrong("the server stopped for a reason that is not known here");
            };
        }

        private List<Step.Token> tokens(JsonNode event) throws ServerFailure {
            int[] ids = TokenIds.array(event.path("tokens"), "tokens");
            if (ids.length == 0) {
                return List.of();
            }
            var tokens = new ArrayList<Step.Token>();
            int lost = event.path("tokens_predicted").intValue() - seen - ids.length;
            if (lost > 0 && ids.length == 1) {
                int[] found =
                        SplitCharacter.before(ids[0], event.path("content").asText(), lost);
                tokens.addAll(TokenIds.unrated(found, ask));
            }
            if (ask.sampling().topLogprobs() == null) {
                tokens.addAll(TokenIds.unrated(ids, ask));
                return tokens;
            }
            var rated = event.path("completion_probabilities");
            for (int i = 0; i < ids.length; i++) {
                tokens.add(rated(ids[i], rated.path(i)));
            }
            return tokens;
        }

        /// A server that drafts tokens ahead rates none of those that it took over.
        private Step.Token rated(int id, JsonNode entry) throws ServerFailure {
            var alternatives = new ArrayList<Alternative>();
            for (var other : entry.path("top_logprobs")) {
                alternatives.add(
                        new Alternative(TokenIds.id(other.path("id")), TokenIds.logprob(other.path("logprob"))));
            }
            return new Step.Token(id, TokenIds.logprobs(TokenIds.logprob(entry.path("logprob")), alternatives, ask));
        }
    }
}
