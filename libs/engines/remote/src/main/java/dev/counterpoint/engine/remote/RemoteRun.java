package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.StreamedGeneration;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
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

    private static final ObjectMapper JSON = new ObjectMapper();

    private final UpstreamClient servers;
    private final RemoteOptions options;
    private final GenerationRequest request;
    private final TokenMask mask;
    private final PromptAndOutput output;
    private final long affinity;
    private final Set<Integer> banned = new HashSet<>();
    private int wrong;
    private int asked;
    /// Servers take the grammar of the rest, and bans.
    private boolean takesGrammar = true;
    private boolean takesBans = true;

    RemoteRun(UpstreamClient servers, RemoteOptions options, GenerationRequest request) {
        this.servers = servers;
        this.options = options;
        this.request = request;
        this.mask = request.mask();
        this.output = new PromptAndOutput(request, options.contextLength());
        this.affinity = UpstreamClient.affinity(request);
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
            var rule = MaskRule.of(mask.allowed(), TokenIds.VOCABULARY);
            end = switch (rule) {
                case MaskRule.Nothing() -> throw ServerFailure.wrong("the mask allows no token");
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
            return servers.<Optional<StopReason>>listen(affinity, () -> output.length() == before, server -> {
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
            UpstreamServer server, ServerRequest ask, MaskRule rule, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        var timeouts = options.access().timeouts();
        var allowed = mask.allowed();
        var told = new Told(rule, allowed == null ? null : allowed.clone());
        int before = output.length();
        long deadline = System.nanoTime() + timeouts.firstToken().toNanos();
        var call = new UpstreamClient.Call(
                options.dialect().path(), options.dialect().request(ask));
        try (var events = servers.open(server, call, deadline, reader::heard)) {
            var answer = options.dialect().answer(ask);
            while (true) {
                var event = events.next(deadline);
                var chunk = answer.read(parse(event));
                if (chunk.finish() != TokenChunk.Finish.NONE) {
                    events.finish();
                }
                if (chunk.cached() != null) {
                    reader.cached(Math.min(chunk.cached(), request.prompt().length));
                }
                if (!chunk.tokens().isEmpty()) {
                    server.succeeded();
                }
                for (var token : complete(chunk, ask)) {
                    if (!take(token, told, reader)) {
                        return null;
                    }
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
                options.upstreamModel());
    }

    private static JsonNode parse(String event) throws ServerFailure {
        try {
            return JSON.readTree(event);
        } catch (JsonProcessingException e) {
            throw ServerFailure.wrong("an event is not JSON");
        }
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

    /// @return whether the request goes on
    private boolean take(Step.Token token, Told told, StreamedGeneration reader)
            throws ServerFailure, InterruptedException {
        if (!TokenMask.allows(told.allowed, token.id())) {
            reject(token.id(), told.rule);
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
        return output.end() == null && Arrays.equals(told.allowed, mask.allowed());
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

    private void reject(int token, MaskRule rule) throws ServerFailure {
        banned.add(token);
        wrong++;
        boolean guessed = !takesBans || rule instanceof MaskRule.AllBut(Set<Integer> _, boolean all) && !all;
        if (guessed || rule instanceof MaskRule.Unsayable) {
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
    private record Told(MaskRule rule, long @Nullable [] allowed) {}
}
