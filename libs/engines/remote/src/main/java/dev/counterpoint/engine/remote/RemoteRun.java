package dev.counterpoint.engine.remote;

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
/// Asks on one thread; an interrupt ends every wait in it, and with it the connection.
final class RemoteRun {
    /// Limit of wrong tokens at one position when the request carries the whole mask.
    static final int WRONG_MAX = 1;
    /// Wrong tokens at one position where the mask is more than a server can be told. Each is forbidden
    /// in the next request, and so the first right one is drawn as from the allowed ones alone.
    static final int GUESSES_MAX = 16;

    /// Wrong tokens of one output that a mask with a grammar corrects.
    static final int CORRECTIONS_MAX = 64;

    /// With a mask, between two signs of life.
    private static final Duration PATIENCE = Duration.ofMillis(250);
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
        reader.flush();
        reader.awaitRoom();
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
        var ask = request(rule, survey.of(server));
        if (!ask.server().takesBias() && !ask.sampling().logitBias().isEmpty()) {
            throw ServerFailure.mistake("the server takes no logit_bias while it drafts tokens");
        }
        var allowed = allowed(reader);
        boolean whole = rule.whole() && takesBans && ask.server().takesBias();
        var told = new Told(allowed == null ? null : allowed.clone(), whole);
        var answer = new Answer(server, ask, told, reader);
        var dialect = options.dialect();
        try {
            return reader.ask(
                    server, new UpstreamClient.Call(dialect.path(), dialect.request(ask)), answer.late, answer);
        } catch (ServerFailure e) {
            var result = answer.result;
            if (result != null) {
                return result; // its count of tokens is all that is missing
            }
            // A server that does not let us in, or knows neither path nor model, is at fault and not the request.
            throw answer.begun ? e : e.blamingTheServer();
        }
    }

    /// The answer to one request.
    private final class Answer implements EventStream.Listener<Optional<StopReason>> {
        private final UpstreamServer server;
        private final ServerRequest ask;
        private final Told told;
        private final StreamedGeneration reader;
        private final int before = output.size();
        private volatile long late =
                System.nanoTime() + options.access().timeouts().firstToken().toNanos();
        private volatile boolean begun;
        private volatile boolean finished;
        private volatile @Nullable Optional<StopReason> result;

        private Answer(UpstreamServer server, ServerRequest ask, Told told, StreamedGeneration reader) {
            this.server = server;
            this.ask = ask;
            this.told = told;
            this.reader = reader;
        }

        @Override
        public @Nullable Optional<StopReason> hear(@Nullable String data) throws ServerFailure, InterruptedException {
            begun = true;
            if (result != null) {
                cached(
                        data == null
                                ? TokenChunk.ofCached(null)
                                : options.dialect().read(data, ask, output.size()));
                return result;
            }
            if (data == null) {
                throw ServerFailure.broken("the stream ended before the output did");
            }
            var chunk = options.dialect().read(data, ask, output.size() - before);
            cached(chunk);
            if (!chunk.tokens().isEmpty()) {
                server.succeeded();
            }
            boolean goesOn = takeAll(complete(chunk, ask), told, reader);
            finished = chunk.finish() != TokenChunk.Finish.NONE;
            if (output.size() > before) {
                late = System.nanoTime() + options.access().timeouts().idle().toNanos();
            }
            result = goesOn ? ofFinish(chunk.finish()) : Optional.empty();
            if (finished && options.dialect().tellsUsageAtTheEnd()) {
                late = System.nanoTime() + USAGE_NANOS_MAX;
                return null;
            }
            return result;
        }

        private @Nullable Optional<StopReason> ofFinish(TokenChunk.Finish finish) throws ServerFailure {
            if (finish == TokenChunk.Finish.STOP && output.size() == before) {
                throw ServerFailure.wrong("the server stopped without a token");
            }
            return switch (finish) {
                case NONE -> null;
                // Before our own limit: the server's context is the smaller one.
                case LENGTH -> Optional.of(StopReason.CONTEXT_FULL);
                // At a token that ends the output for the server and not for us.
                case STOP -> Optional.empty();
            };
        }

        private void cached(TokenChunk chunk) {
            if (chunk.cached() != null) {
                reader.cached(Math.min(chunk.cached(), request.prompt().length));
            }
        }

        @Override
        public long lateAtNanos(long heardNanos) {
            return late;
        }

        @Override
        public boolean hasAll() {
            return finished;
        }

        /// To work out what a mask allows takes time, which no event loop has.
        @Override
        public boolean blocks() {
            return mask != TokenMask.ALL;
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
            // A token outside the mask ends the mask's hold; the worker then judges the output.
            say(end == null ? token : TokenIds.unrated(end, request.sampling()), reader);
            return false;
        }
        say(token, reader);
        return end() == null && Arrays.equals(told.allowed, allowed(reader));
    }

    /// Work on a mask is a sign of life.
    private long @Nullable [] allowed(StreamedGeneration reader) throws InterruptedException {
        while (!mask.ready(PATIENCE)) {
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

    private void say(Step.Token token, StreamedGeneration reader) {
        mask.accept(token.id());
        output.add(token.id());
        banned.clear();
        wrong = 0;
        reader.speaks();
        reader.say(List.of(token));
    }

    /// The mask when a request began.
    ///
    /// @param whole whether the request expressed all of it
    private record Told(long @Nullable [] allowed, boolean whole) {}
}
