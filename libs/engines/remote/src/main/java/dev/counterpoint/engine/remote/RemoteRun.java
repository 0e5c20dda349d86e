package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.EventStream;
import dev.counterpoint.engine.http.PromptPrefix;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes one output of as many requests as it takes: a new one begins, with all that was said so far,
/// when the mask changes, when the server said what the mask forbids, and when it stopped where it was
/// not asked to.
///
/// Runs on one thread; an interrupt ends every wait in it, and with it the connection.
final class RemoteRun {
    /// Wrong tokens at one position where the server was told what is wrong.
    static final int WRONG_MAX = 1;
    /// Wrong tokens at one position where the mask is more than a server can be told. Each is forbidden
    /// in the next request, and so the first right one is drawn as from the allowed ones alone.
    static final int GUESSES_MAX = 16;

    /// Wrong tokens of one output that a mask with a grammar corrects.
    static final int CORRECTIONS_MAX = 64;

    /// For the event after the end.
    private static final long USAGE_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final UpstreamClient servers;
    private final RemoteOptions options;
    private final ServerSurvey survey;
    private final GenerationRequest request;
    private final TokenMask mask;
    private final PromptPrefix prompt;
    /// The prompt and the output so far.
    private final TokenBuffer output;

    private final int lengthMax;
    private final Set<Integer> banned = new HashSet<>();
    private int wrong;
    private int asked;
    /// Servers take the grammar of the rest, and bans.
    private boolean takesGrammar = true;
    private boolean takesBans = true;

    /// @param contextLength tokens of prompt and output
    RemoteRun(UpstreamClient servers, ServerSurvey survey, GenerationRequest request, int contextLength) {
        this.servers = servers;
        this.options = survey.options();
        this.survey = survey;
        this.request = request;
        this.mask = request.mask();
        this.prompt = PromptPrefix.of(request);
        this.output = new TokenBuffer(request.prompt().length + request.prefix().length + 64);
        output.addAll(request.prompt());
        output.addAll(request.prefix());
        this.lengthMax = (int) Math.min(contextLength, (long) request.prompt().length + request.maxTokens());
    }

    /// @return why the output ended
    StopReason follow(StreamedGeneration reader) throws ServerFailure, InterruptedException {
        for (int token : request.prefix()) {
            mask.accept(token);
        }
        var end = end();
        while (end == null) {
            end = goOn(MaskRule.of(allowed(reader)), reader);
            end = end == null ? end() : end;
        }
        return end;
    }

    /// The reason for which the output is complete; null while it is not.
    private @Nullable StopReason end() {
        int said = output.size() - request.prompt().length;
        if (said > 0 && request.stopTokens().contains(last())) {
            return StopReason.STOP_TOKEN;
        }
        if (said >= request.maxTokens()) {
            return StopReason.LENGTH;
        }
        return output.size() >= lengthMax ? StopReason.CONTEXT_FULL : null;
    }

    private int last() {
        return output.get(output.size() - 1);
    }

    private @Nullable StopReason goOn(MaskRule rule, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        var only = rule.only();
        if (only == null || only.size() > 1) {
            return ask(rule, reader);
        }
        if (only.isEmpty()) {
            return StopReason.NO_TOKEN;
        }
        // No server need be asked.
        int token = only.iterator().next();
        var wanted = request.sampling().topLogprobs();
        var certain = wanted == null
                ? null
                : new TokenLogprobs(
                        0, Stream.of(new Alternative(token, 0)).limit(wanted).toList());
        say(new Step.Token(token, certain), reader);
        return null;
    }

    /// @return why the output ends; null when it does not, or when [#end] says why
    private @Nullable StopReason ask(MaskRule rule, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        int before = output.size();
        try {
            return servers.listen(prompt, () -> output.size() == before, server -> listen(server, rule, reader))
                    .orElse(null);
        } catch (ServerFailure e) {
            if (!e.isMistake() || output.size() > before || !forgo(rule)) {
                throw e;
            }
            return null;
        }
    }

    /// A server refused a request. vLLM refuses every bias while it drafts tokens, and a server may not know what a
    /// grammar is made of: the request goes out once more without the one, then without the other. What comes is
    /// checked all the same.
    ///
    /// @return whether there is something to leave out
    private boolean forgo(MaskRule rule) {
        if (!bans(rule).isEmpty()) {
            takesBans = false;
            return true;
        }
        boolean had = grammar() != null;
        takesGrammar &= !had;
        return had;
    }

    private Optional<StopReason> listen(UpstreamServer server, MaskRule rule, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        reader.awaits(server);
        var ask = request(rule, survey.of(server));
        if (!ask.server().takesBias() && !ask.sampling().logitBias().isEmpty()) {
            throw ServerFailure.mistake("the server takes no logit_bias while it drafts tokens");
        }
        var timeouts = options.access().timeouts();
        var allowed = allowed(reader);
        boolean whole = rule.whole() && takesBans && ask.server().takesBias();
        var told = new Told(allowed == null ? null : allowed.clone(), whole);
        int before = output.size();
        long deadline = System.nanoTime() + timeouts.firstToken().toNanos();
        try (var events = open(server, ask, deadline, reader)) {
            while (true) {
                var chunk = options.dialect().read(events.next(deadline), ask, output.size() - before);
                cached(chunk, reader);
                if (!chunk.tokens().isEmpty()) {
                    server.succeeded();
                }
                boolean goesOn = takeAll(complete(chunk, ask), told, reader);
                if (chunk.finish() != TokenChunk.Finish.NONE) {
                    readUsage(events, ask, reader);
                    events.finish();
                }
                if (!goesOn) {
                    return Optional.empty();
                }
                if (chunk.finish() == TokenChunk.Finish.LENGTH) {
                    // Before our own limit: the server's context is the smaller one.
                    return Optional.of(StopReason.CONTEXT_FULL);
                }
                if (chunk.finish() == TokenChunk.Finish.STOP) {
                    if (output.size() == before) {
                        throw ServerFailure.wrong("the server stopped without a token");
                    }
                    // At a token that ends the output for the server and not for us.
                    return Optional.empty();
                }
                if (output.size() > before) {
                    deadline = System.nanoTime() + timeouts.idle().toNanos();
                }
            }
        }
    }

    /// A server that does not let us in, or knows neither path nor model, is at fault and not the request.
    private EventStream open(UpstreamServer server, ServerRequest ask, long deadline, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        var dialect = options.dialect();
        try {
            return servers.open(
                    server, new UpstreamClient.Call(dialect.path(), dialect.request(ask)), deadline, reader::heard);
        } catch (ServerFailure e) {
            throw e.blamingTheServer();
        }
    }

    private void cached(TokenChunk chunk, StreamedGeneration reader) {
        if (chunk.cached() != null) {
            reader.cached(Math.min(chunk.cached(), request.prompt().length));
        }
    }

    /// The output is whole: what fails here is of no account.
    private void readUsage(EventStream events, ServerRequest ask, StreamedGeneration reader)
            throws InterruptedException {
        if (!options.dialect().tellsUsageAtTheEnd()) {
            return;
        }
        try {
            var event = events.nextOrEnd(USAGE_NANOS_MAX, System.nanoTime() + USAGE_NANOS_MAX);
            if (event != null) {
                cached(options.dialect().read(event, ask, output.size()), reader);
            }
        } catch (ServerFailure e) {
            // Its count is all that is missing.
        }
    }

    private Set<Integer> bans(MaskRule rule) {
        var bans = new HashSet<Integer>();
        if (takesBans) {
            bans.addAll(banned);
            bans.addAll(rule.banned());
        }
        return bans;
    }

    private @Nullable String grammar() {
        return takesGrammar ? mask.rest(options.dialect().notation()) : null;
    }

    private ServerRequest request(MaskRule rule, ServerProfile server) {
        return new ServerRequest(
                output.toArray(),
                request.prompt().length,
                lengthMax - output.size(),
                request.sampling(),
                request.stopTokens(),
                rule.only() == null ? Set.of() : rule.only(),
                server.takesBias() ? bans(rule) : Set.of(),
                grammar(),
                request.cacheSalt(),
                options.upstreamModel(),
                request.urgency(),
                server);
    }

    /// Some servers keep the stop token back, and only name it.
    private List<Step.Token> complete(TokenChunk chunk, ServerRequest ask) {
        var stop = chunk.stopToken();
        boolean there = !chunk.tokens().isEmpty()
                ? Objects.equals(chunk.tokens().getLast().id(), stop)
                : output.size() > ask.ids().length && Objects.equals(last(), stop);
        if (stop == null || there) {
            return chunk.tokens();
        }
        return Stream.concat(chunk.tokens().stream(), Stream.of(TokenIds.unrated(stop, request.sampling())))
                .toList();
    }

    private boolean takeAll(List<Step.Token> tokens, Told told, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        for (var token : tokens) {
            if (!take(token, told, reader)) {
                return false;
            }
        }
        return true;
    }

    /// @return whether the request goes on
    private boolean take(Step.Token token, Told told, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        if (!TokenMask.allows(told.allowed, token.id())) {
            reject(token.id(), told);
            return false;
        }
        if (!mask.takes(token.id())) {
            var end = theEnd(token.id());
            if (end == null && wrong < GUESSES_MAX && asked < CORRECTIONS_MAX) {
                banned.add(token.id());
                wrong++;
                asked++;
                return false;
            }
            // One that the mask cannot follow ends its hold: the worker judges what was said.
            say(end == null ? token : TokenIds.unrated(end, request.sampling()), reader);
            return false;
        }
        say(token, reader);
        return end() == null && Arrays.equals(told.allowed, allowed(reader));
    }

    /// Work on a mask is a sign of life.
    private long @Nullable [] allowed(StreamedGeneration reader) throws InterruptedException {
        while (!mask.ready(Generation.PATIENCE)) {
            reader.heard();
        }
        return mask.allowed();
    }

    /// A server with a grammar takes every token that ends an output for the end of the grammar; the mask knows which
    /// one it is.
    private @Nullable Integer theEnd(int token) {
        if (!request.stopTokens().contains(token)) {
            return null;
        }
        var right = request.stopTokens().stream().filter(mask::takes).toList();
        return right.size() == 1 ? right.getFirst() : null;
    }

    private void reject(int token, Told told) throws ServerFailure {
        banned.add(token);
        wrong++;
        if (wrong > (told.whole ? WRONG_MAX : GUESSES_MAX)) {
            throw ServerFailure.wrong(
                    told.whole
                            ? "the server says tokens that it was told not to"
                            : "the mask is more than a server can be told: %d allowed or %d forbidden tokens"
                                    .formatted(MaskRule.ONLY_MAX, MaskRule.BANNED_MAX));
        }
    }

    private void say(Step.Token token, StreamedGeneration reader) throws InterruptedException {
        mask.accept(token.id());
        output.add(token.id());
        banned.clear();
        wrong = 0;
        reader.awaits(null);
        reader.say(List.of(token));
    }

    /// The mask when a request began.
    ///
    /// @param whole whether the request expressed all of it
    private record Told(long @Nullable [] allowed, boolean whole) {}
}
