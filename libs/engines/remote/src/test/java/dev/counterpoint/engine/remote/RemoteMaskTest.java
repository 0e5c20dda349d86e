package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How masks are told to a server that takes none.
@Timeout(120)
class RemoteMaskTest {
    private static final int[] PROMPT = {5, 6, 7, 8};
    private static final long[] LOWER_HALF = half();

    private final FakeVllm server = FakeVllm.completions();
    private final RemoteEngine engine =
            new RemoteEngine(TestOptions.of(VllmDialect.COMPLETIONS, server).options());

    @AfterEach
    void close() {
        engine.close();
        server.close();
    }

    private static long[] half() {
        var set = new long[TokenIds.VOCABULARY / 64 / 2];
        Arrays.fill(set, -1);
        return set;
    }

    @Test
    void saysTheOnlyTokenWithoutAskingAnybody() throws InterruptedException {
        var mask = mask(new long[] {1L << 33});

        var pulled = pull(mask, Sampling.GREEDY.withTopLogprobs(5), 3);

        assertThat(server.requests()).isEmpty();
        var certain = new TokenLogprobs(0, List.of(new TokenLogprobs.Alternative(33, 0)));
        assertThat(pulled.steps())
                .containsExactly(new Step.Token(33, certain), new Step.Token(33, certain), new Step.Token(33, certain));
    }

    @Test
    void goesOnWithOneRequestWhileTheMaskStays() throws InterruptedException {
        pull(mask(new long[] {0xFF00}), Sampling.GREEDY, 10);

        assertThat(server.requests()).hasSize(1);
        assertThat(server.requests().getFirst().path("allowed_token_ids")).hasSize(8);
    }

    @Test
    void asksAgainOnceWhenTheServerSaysWhatItWasToldNotTo() throws InterruptedException {
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data("{\"choices\":[{\"token_ids\":[17],\"finish_reason\":null}]}");
            exchange.awaitGone();
        });

        var pulled = pull(mask(new long[] {0xFF00}), Sampling.GREEDY, 10);

        assertThat(pulled.steps()).isEmpty();
        assertThat(pulled.stopped())
                .isEqualTo(new Step.Stopped(
                        StopReason.FAILED, "remote engine: the server says tokens that it was told not to"));
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().getLast().path("logit_bias").path("17").asInt())
                .isEqualTo(-100);
    }

    @Test
    void findsWhatAMaskAllowsThatIsMoreThanAServerCanBeTold() throws InterruptedException {
        var pulled = pull(mask(LOWER_HALF), Sampling.GREEDY, 10);

        assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
        assertThat(pulled.ids()).hasSize(10);
        assertThat(Arrays.stream(pulled.ids())).allMatch(id -> id < LOWER_HALF.length * 64);
    }

    @Test
    void failsAndNamesTheLimitWhenItFindsNothing() throws InterruptedException {
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data("{\"choices\":[{\"token_ids\":[199000],\"finish_reason\":null}]}");
            exchange.awaitGone();
        });

        var pulled = pull(mask(LOWER_HALF), Sampling.GREEDY, 10);

        assertThat(pulled.stopped().detail()).contains("256 allowed or 2048 forbidden");
        assertThat(server.requests()).hasSize(RemoteRun.GUESSES_MAX + 1);
    }

    private GenerationPull pull(TokenMask mask, Sampling sampling, int maxTokens) throws InterruptedException {
        return GenerationPull.all(
                engine, new GenerationRequest("test", PROMPT, new int[0], sampling, maxTokens, Set.of(), mask, ""));
    }

    /// The same at each step, in an array that it writes anew, as masks may.
    private static TokenMask mask(long[] allowed) {
        var reused = new long[allowed.length];
        return new TokenMask() {
            @Override
            public long[] allowed() {
                System.arraycopy(allowed, 0, reused, 0, allowed.length);
                return reused;
            }

            @Override
            public void accept(int token) {
                Arrays.fill(reused, 0);
            }
        };
    }
}
