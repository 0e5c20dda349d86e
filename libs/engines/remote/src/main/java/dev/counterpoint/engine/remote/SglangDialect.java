package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// SGLang's `/generate`. Its events repeat the whole output unless the server runs with
/// `--incremental-streaming-output` (once `--stream-output`), which long outputs with log probabilities want.
public record SglangDialect() implements ServerDialect {
    /// Lifts a token above all others, or puts it below them.
    private static final double FORCE = 100;

    private static final int BAD_REQUEST = 400;
    /// A prompt has to be shorter than the context less these places: 0.5.23, `managers/tp_worker.py`,
    /// `max_req_input_len`. An output ends two places before the context does.
    private static final int KEPT_FREE = 6;

    @Override
    public String server() {
        return "SGLang";
    }

    @Override
    public GrammarNotation notation() {
        return GrammarNotation.XGRAMMAR;
    }

    @Override
    public String path() {
        return "/generate";
    }

    /// What SGLang says of itself, 0.5.23: all of its arguments and its scheduler's numbers (`get_server_info` in
    /// `entrypoints/http_server.py`). Drafting reserves places of the context, too.
    @Override
    public ServerProfile profile(ServerQuestioning questions) throws UnfitServerException, InterruptedException {
        var info = questions.get("/get_server_info");
        var context = CommonFields.count(questions.model().path("max_model_len"));
        questions.requireHarmony(JsonNodeFactory.instance.objectNode().put("add_special_tokens", false), "prompt");
        int reserved = reserved(info);
        var memory = CommonFields.count(info.path("max_total_num_tokens"));
        var fits = Stream.of(Optional.ofNullable(context), Optional.ofNullable(memory))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .map(least -> least - KEPT_FREE - reserved)
                .orElse(null);
        var told = ServerProfile.UNKNOWN
                .withVersion(info.path("version").asText())
                .withSizes(fits, CommonFields.count(info.path("max_running_requests")))
                .withPriorities(priorities(info));
        if (repeatsItself(info)) {
            told = told.withWarning("repeats the whole output with every event, which costs much in long ones:"
                    + " start it with --incremental-streaming-output");
        }
        return hasGrammars(info)
                ? told
                : told.withWarning("holds nothing to a schema: start it without --skip-tokenizer-init and"
                        + " --grammar-backend none");
    }

    /// 0.5.23, `constrained/grammar_manager.py`.
    private static boolean hasGrammars(JsonNode info) {
        return !info.path("skip_tokenizer_init").asBoolean()
                && !"none".equals(info.path("grammar_backend").asText());
    }

    private static int reserved(JsonNode info) {
        if (!info.path("speculative_algorithm").isTextual()) {
            return 0;
        }
        int drafted = info.path("speculative_num_draft_tokens").asInt();
        int branches = info.path("speculative_eagle_topk").asInt()
                * info.path("speculative_num_steps").asInt();
        return Math.max(drafted, branches);
    }

    private static ServerProfile.Priorities priorities(JsonNode info) {
        if (!info.path("enable_priority_scheduling").asBoolean()) {
            return ServerProfile.Priorities.NONE;
        }
        return info.path("schedule_low_priority_values_first").asBoolean()
                ? ServerProfile.Priorities.LOWEST_FIRST
                : ServerProfile.Priorities.HIGHEST_FIRST;
    }

    /// The flag had another name before.
    private static boolean repeatsItself(JsonNode info) {
        var known = Stream.of("incremental_streaming_output", "stream_output")
                .map(info::path)
                .filter(JsonNode::isBoolean)
                .toList();
        return !known.isEmpty() && known.stream().noneMatch(JsonNode::booleanValue);
    }

    @Override
    public ObjectNode request(ServerRequest ask) {
        var body = JsonNodeFactory.instance.objectNode();
        CommonFields.addIds(body, "input_ids", ask);
        addSampling(body.putObject("sampling_params"), ask);
        body.put("stream", true);
        var alternatives = ask.sampling().topLogprobs();
        if (alternatives != null) {
            body.put("return_logprob", true);
            body.put("top_logprobs_num", alternatives);
            body.put("return_text_in_logprobs", false);
        }
        if (!ask.cacheSalt().isEmpty()) {
            body.put("extra_key", ask.cacheSalt());
        }
        if (ask.priority() != null) {
            body.put("priority", ask.priority());
        }
        return body;
    }

    private static void addSampling(ObjectNode to, ServerRequest ask) {
        to.put("max_new_tokens", ask.maxTokens());
        CommonFields.addSampling(to, ask);
        to.put("top_k", -1);
        to.put("repetition_penalty", 1.0);
        if (ask.seedOfOutput() != null) {
            to.put("sampling_seed", ask.seedOfOutput());
        }
        if (ask.grammar() != null) {
            to.put("ebnf", ask.grammar());
        }
        // `ignore_eos` would switch these off too.
        CommonFields.addStopTokens(to, ask);
        to.put("skip_special_tokens", false);
        to.put("spaces_between_special_tokens", false);
        to.put("no_stop_trim", true);
        var own = ask.biasOfOutput();
        CommonFields.lift(own, ask, FORCE);
        var bias = ask.withBans(own, -FORCE);
        if (!bias.isEmpty()) {
            var field = to.putObject("logit_bias");
            bias.forEach((token, value) -> field.put(token.toString(), value));
        }
    }

    @Override
    public Answer answer(ServerRequest ask) {
        return new SglangAnswer(ask);
    }

    /// Knows how much of the output it has seen, which tells what is new in an event that repeats the
    /// rest.
    private static final class SglangAnswer implements Answer {
        private final ServerRequest ask;
        private int seen;

        SglangAnswer(ServerRequest ask) {
            this.ask = ask;
        }

        @Override
        public TokenChunk read(JsonNode event) throws ServerFailure {
            if (event.has("error")) {
                throw refusal(event.path("error"));
            }
            var meta = event.path("meta_info");
            requireNoAbort(meta.path("finish_reason"));
            if (!meta.path("completion_tokens").isInt()) {
                throw ServerFailure.wrong("an event has no meta_info.completion_tokens");
            }
            int[] ids = TokenIds.array(event.path("output_ids"), "output_ids");
            var reason = meta.path("finish_reason");
            var stop = reason.path("matched").isInt() ? TokenIds.id(reason.path("matched")) : null;
            int total = meta.path("completion_tokens").intValue();
            if (stop != null && (ids.length == 0 || ids[ids.length - 1] != stop)) {
                // It is counted and left out.
                total--;
            }
            int fresh = total - seen;
            if (fresh < 0 || ids.length != total && ids.length != fresh) {
                throw ServerFailure.wrong("output_ids and completion_tokens do not fit together");
            }
            seen = total;
            var tokens = tokens(Arrays.copyOfRange(ids, ids.length - fresh, ids.length), meta);
            return new TokenChunk(
                    tokens,
                    CommonFields.finish(reason.path("type")),
                    stop,
                    CommonFields.count(meta.path("cached_tokens")));
        }

        /// Only what is wrong with a request comes so, in older versions without a code: 0.5.23,
        /// `entrypoints/http_server.py`, `generate_request`, its `except ValueError`.
        private static ServerFailure refusal(JsonNode error) {
            return error.has("code")
                    ? CommonFields.error(error)
                    : ServerFailure.reported(BAD_REQUEST, error.path("message").asText());
        }

        /// What the scheduler gave up says why: `managers/scheduler.py`, `prepare_abort` and `_abort_on_queued_limit`.
        private static void requireNoAbort(JsonNode reason) throws ServerFailure {
            if ("abort".equals(reason.path("type").asText())
                    && reason.path("status_code").isInt()) {
                throw ServerFailure.reported(
                        reason.path("status_code").intValue(),
                        reason.path("message").asText());
            }
        }

        private List<Step.Token> tokens(int[] ids, JsonNode meta) throws ServerFailure {
            if (ask.sampling().topLogprobs() == null) {
                return TokenIds.unrated(ids, ask);
            }
            var chosen = meta.path("output_token_logprobs");
            var tokens = new ArrayList<Step.Token>();
            // Some versions repeat these even where the ids are new ones only, and rate the stop token
            // even where its id is left out.
            int entry = entryOf(ids, chosen);
            for (int id : ids) {
                var top = meta.path("output_top_logprobs").path(entry);
                tokens.add(new Step.Token(id, logprobs(chosen.path(entry), top, ask)));
                entry++;
            }
            return tokens;
        }

        /// Where the entries of these ids begin: the last place where they stand in a row.
        private static int entryOf(int[] ids, JsonNode chosen) throws ServerFailure {
            int from = chosen.size() - ids.length;
            while (from >= 0 && !standAt(from, ids, chosen)) {
                from--;
            }
            if (from < 0) {
                throw ServerFailure.wrong("an event has not one log probability for each token");
            }
            return from;
        }

        private static boolean standAt(int from, int[] ids, JsonNode chosen) {
            return IntStream.range(0, ids.length)
                    .allMatch(i -> chosen.path(from + i).path(1).asInt(-1) == ids[i]);
        }

        /// Each is `[log probability, id, text]`.
        private static TokenLogprobs logprobs(JsonNode chosen, JsonNode top, ServerRequest ask) throws ServerFailure {
            var alternatives = new ArrayList<Alternative>();
            for (var other : top) {
                alternatives.add(new Alternative(TokenIds.id(other.path(1)), TokenIds.logprob(other.path(0))));
            }
            return TokenIds.logprobs(TokenIds.logprob(chosen.path(0)), alternatives, ask);
        }
    }
}
