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
    private final PromptAndOutput output;
    private final PromptPrefix prompt;
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
        this.output = new PromptAndOutput(request, contextLength);
        this.prompt = PromptPrefix.of(request);
    }

    /// @return why the output ended
    StopReason follow(StreamedGeneration reader) throws ServerFailure, InterruptedException {
        for (int token : request.prefix()) {
            mask.accept(token);
        }
        return generate(reader);
    }

    private StopReason generate(StreamedGeneration reader) throws ServerFailure, InterruptedException {
        var end = output.end();
        while (end == null) {
            var rule = MaskRule.of(allowed(reader), TokenIds.VOCABULARY);
            end = switch (rule) {
                case MaskRule.Nothing() -> StopReason.NO_TOKEN;
                case MaskRule.One(int token) -> {
                    say(certain(token), reader);
                    yield null;
                }
                default -> ask(rule, reader);
            };
            end = end == null ? output.end() : end;
        }
        return end;
    }

    private Step.Token certain(int token) {
        var alternatives = request.sampling().topLogprobs();
        if (alternatives == null) {
            return new Step.Token(token, null);
        }
        var top = alternatives == 0 ? List.<Alternative>of() : List.of(new Alternative(token, 0));
        return new Step.Token(token, new TokenLogprobs(0, top));
    }

    /// @return why the output ends; null when it does not, or when [PromptAndOutput#end] says why
    private @Nullable StopReason ask(MaskRule rule, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        int before = output.length();
        var ask = ask(rule);
        try {
            return servers.<Optional<StopReason>>listen(prompt, () -> output.length() == before, server -> {
                        reader.awaits(server);
                        return Optional.ofNullable(listen(server, ask, rule, reader));
                    })
                    .orElse(null);
        } catch (ServerFailure e) {
            if (!e.isMistake() || output.length() > before || !forgo(ask)) {
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
    private boolean forgo(ServerRequest ask) {
        if (!ask.banned().isEmpty()) {
            takesBans = false;
            return true;
        }
        boolean had = ask.grammar() != null;
        takesGrammar &= !had;
        return had;
    }

    private @Nullable StopReason listen(
            UpstreamServer server, ServerRequest wanted, MaskRule rule, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        var ask = wanted.on(survey.of(server));
        if (!ask.server().takesBias() && !ask.sampling().logitBias().isEmpty()) {
            throw ServerFailure.mistake("the server takes no logit_bias while it drafts tokens");
        }
        var timeouts = options.access().timeouts();
        var allowed = allowed(reader);
        var told = new Told(
                rule, allowed == null ? null : allowed.clone(), ask.server().takesBias());
        int before = output.length();
        long deadline = System.nanoTime() + timeouts.firstToken().toNanos();
        try (var events = open(server, ask, deadline, reader)) {
            var answer = options.dialect().answer(ask);
            while (true) {
                var chunk = answer.read(EventJson.parse(events.next(deadline)));
                cached(chunk, reader);
                if (!chunk.tokens().isEmpty()) {
                    server.succeeded();
                }
                boolean goesOn = takeAll(complete(chunk, ask), told, reader);
                if (chunk.finish() != TokenChunk.Finish.NONE) {
                    readUsage(events, answer, reader);
                    events.finish();
                }
                if (!goesOn) {
                    return null;
                }
                if (chunk.finish() != TokenChunk.Finish.NONE) {
                    return finished(chunk.finish(), output.length() > before);
                }
                if (output.length() > before) {
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
    private void readUsage(EventStream events, ServerDialect.Answer answer, StreamedGeneration reader)
            throws InterruptedException {
        if (!options.dialect().tellsUsageAtTheEnd()) {
            return;
        }
        try {
            var event = events.nextOrEnd(USAGE_NANOS_MAX, System.nanoTime() + USAGE_NANOS_MAX);
            if (event != null) {
                cached(answer.read(EventJson.parse(event)), reader);
            }
        } catch (ServerFailure e) {
            // Its count is all that is missing.
        }
    }

    private ServerRequest ask(MaskRule rule) {
        var only = rule instanceof MaskRule.Only(Set<Integer> tokens) ? tokens : Set.<Integer>of();
        var forbidden = takesBans ? new HashSet<>(banned) : new HashSet<Integer>();
        if (takesBans && rule instanceof MaskRule.AllBut(Set<Integer> tokens, boolean _)) {
            forbidden.addAll(tokens);
        }
        return new ServerRequest(
                output.ids(),
                request.prompt().length,
                output.room(),
                request.sampling(),
                request.stopTokens(),
                only,
                forbidden,
                takesGrammar ? mask.rest(options.dialect().notation()) : null,
                request.cacheSalt(),
                options.upstreamModel(),
                request.urgency(),
                ServerProfile.UNKNOWN);
    }

    /// Some servers keep the stop token back, and only name it.
    private List<Step.Token> complete(TokenChunk chunk, ServerRequest ask) {
        var stop = chunk.stopToken();
        boolean there = !chunk.tokens().isEmpty()
                ? Objects.equals(chunk.tokens().getLast().id(), stop)
                : output.length() > ask.ids().length && Objects.equals(output.last(), stop);
        if (stop == null || there) {
            return chunk.tokens();
        }
        return Stream.concat(chunk.tokens().stream(), Stream.of(TokenIds.unrated(stop, ask)))
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
        return output.end() == null && Arrays.equals(told.allowed, allowed(reader));
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
        boolean untold = !takesBans || !told.bias;
        boolean guessed = untold || told.rule instanceof MaskRule.AllBut(Set<Integer> _, boolean all) && !all;
        if (guessed || told.rule instanceof MaskRule.Unsayable) {
            if (wrong > GUESSES_MAX) {
                throw ServerFailure.wrong(
                        "the mask is more than a server can be told: %d allowed or %d forbidden tokens"
                                .formatted(MaskRule.ONLY_MAX, MaskRule.BANNED_MAX));
            }
        } else if (wrong > WRONG_MAX) {
            throw ServerFailure.wrong("the server says tokens that it was told not to");
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

    private static @Nullable StopReason finished(TokenChunk.Finish finish, boolean saidSomething) throws ServerFailure {
        if (finish == TokenChunk.Finish.LENGTH) {
            // Before our own limit: the server's context is the smaller one.
            return StopReason.CONTEXT_FULL;
        }
        if (!saidSomething) {
            throw ServerFailure.wrong("the server stopped without a token");
        }
        // At a token that ends the output for the server and not for us.
        return null;
    }

    /// The mask when a request began.
    ///
    /// @param bias whether the server was told any
    private record Told(MaskRule rule, long @Nullable [] allowed, boolean bias) {}
}
