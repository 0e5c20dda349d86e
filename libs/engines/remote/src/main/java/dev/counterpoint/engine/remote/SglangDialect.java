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
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// SGLang's `/generate`. Its events repeat the whole output unless the server runs with
/// `--incremental-streaming-output` (once `--stream-output`), which long outputs with log probabilities want.
public final class SglangDialect extends ServerDialect {
    /// Lifts a token above all others, or puts it below them.
    private static final double FORCE = 100;

    private static final int BAD_REQUEST = 400;
    /// A prompt has to be shorter than the context less these places: 0.5.23, `managers/tp_worker.py`,
    /// `max_req_input_len`. An output ends two places before the context does.
    private static final int KEPT_FREE = 6;

    public SglangDialect() {
        super("SGLang", "/generate", GrammarNotation.XGRAMMAR);
    }

    /// What SGLang says of itself, 0.5.23: all of its arguments and its scheduler's numbers (`get_server_info` in
    /// `entrypoints/http_server.py`). Drafting reserves places of the context, too.
    @Override
    ServerProfile profile(ServerQuestioning questions) throws ServerFailure, InterruptedException {
        var info = questions.get("/get_server_info");
        var context = questions.model().path("max_model_len");
        questions.requireHarmony(JsonNodeFactory.instance.objectNode().put("add_special_tokens", false), "prompt");
        var fits = Stream.of(context, info.path("max_total_num_tokens"))
                .map(ServerDialect::count)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .map(least -> least - KEPT_FREE - reserved(info))
                .orElse(null);
        return new ServerProfile(
                info.path("version").asText(),
                fits,
                count(info.path("max_running_requests")),
                priorities(info),
                warnings(info));
    }

    private static List<String> warnings(JsonNode info) {
        var warnings = new ArrayList<String>();
        if (repeatsItself(info)) {
            warnings.add("repeats the whole output with every event, which costs much in long ones:"
                    + " start it with --incremental-streaming-output");
        }
        // 0.5.23, `constrained/grammar_manager.py`.
        if (info.path("skip_tokenizer_init").asBoolean()
                || "none".equals(info.path("grammar_backend").asText())) {
            warnings.add("holds nothing to a schema: start it without --skip-tokenizer-init and"
                    + " --grammar-backend none");
        }
        return warnings;
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
    ObjectNode request(ServerRequest ask) {
        var body = JsonNodeFactory.instance.objectNode();
        addIds(body, "input_ids", ask);
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
        addPriority(body, ask);
        return body;
    }

    private static void addSampling(ObjectNode to, ServerRequest ask) {
        to.put("max_new_tokens", ask.maxTokens());
        addCommonSampling(to, ask);
        // `ignore_eos` would switch the stop tokens off too.
        addPythonSampling(to, ask);
        if (ask.seedOfOutput() != null) {
            to.put("sampling_seed", ask.seedOfOutput());
        }
        if (ask.grammar() != null) {
            to.put("ebnf", ask.grammar());
        }
        to.put("spaces_between_special_tokens", false);
        to.put("no_stop_trim", true);
        var own = ask.biasOfOutput();
        lift(own, ask, FORCE);
        addBias(to, ask.withBans(own, -FORCE));
    }

    /// An event may repeat the whole output: the ids behind those that were seen are new.
    @Override
    TokenChunk read(JsonNode event, ServerRequest ask, int seen) throws ServerFailure {
        if (event.has("error")) {
            throw refused(event.path("error"));
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
        var tokens = tokens(Arrays.copyOfRange(ids, ids.length - fresh, ids.length), meta, ask);
        return new TokenChunk(tokens, finish(reason.path("type")), stop, count(meta.path("cached_tokens")));
    }

    /// Only what is wrong with a request comes so, in older versions without a code: 0.5.23,
    /// `entrypoints/http_server.py`, `generate_request`, its `except ValueError`.
    private static ServerFailure refused(JsonNode error) {
        return error.has("code")
                ? error(error)
                : ServerFailure.reported(BAD_REQUEST, error.path("message").asText());
    }

    /// Throws the scheduler's reason for an abort: `managers/scheduler.py`, `prepare_abort` and
    /// `_abort_on_queued_limit`.
    private static void requireNoAbort(JsonNode reason) throws ServerFailure {
        if ("abort".equals(reason.path("type").asText())
                && reason.path("status_code").isInt()) {
            throw ServerFailure.reported(
                    reason.path("status_code").intValue(),
                    reason.path("message").asText());
        }
    }

    private static List<Step.Token> tokens(int[] ids, JsonNode meta, ServerRequest ask) throws ServerFailure {
        var chosen = meta.path("output_token_logprobs");
        int first = ask.sampling().topLogprobs() == null ? 0 : entryOf(ids, chosen);
        var top = meta.path("output_top_logprobs");
        return TokenIds.rated(ids, ask, place -> logprobs(chosen.path(first + place), top.path(first + place), ask));
    }

    /// The index of the first entry of these ids: of their last occurrence in a row. Some versions repeat all
    /// entries even where the ids are new ones only, and rate the stop token even where its id is left out.
    private static int entryOf(int[] ids, JsonNode chosen) throws ServerFailure {
        return IntStream.iterate(chosen.size() - ids.length, from -> from >= 0, from -> from - 1)
                .filter(from -> IntStream.range(0, ids.length)
                        .allMatch(i -> chosen.path(from + i).path(1).asInt(-1) == ids[i]))
                .findFirst()
                .orElseThrow(() -> ServerFailure.wrong("an event has not one log probability for each token"));
    }

    /// Each is `[log probability, id, text]`.
    private static TokenLogprobs logprobs(JsonNode chosen, JsonNode top, ServerRequest ask) throws ServerFailure {
        var alternatives = new ArrayList<Alternative>();
        for (var other : top) {
            alternatives.add(new Alternative(TokenIds.id(other.path(1)), TokenIds.logprob(other.path(0))));
        }
        return TokenIds.logprobs(chosen.path(0), alternatives, ask);
    }
}
