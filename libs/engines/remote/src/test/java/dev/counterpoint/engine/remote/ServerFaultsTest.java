package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What single kinds of servers are known for.
@Timeout(120)
class ServerFaultsTest {
    private static final int[] PROMPT = {5, 6, 7, 8};
    private static final Sampling RATED = Sampling.GREEDY.withTopLogprobs(2);

    @Test
    void vllmMayLeaveTheStopTokenOutOfTheIds() throws InterruptedException {
        try (var server = FakeVllm.completions()) {
            server.leaveStopOut();
            server.says(length -> length == PROMPT.length + 5 ? SpecialTokens.RETURN : -1);

            var pulled = pull(VllmDialect.COMPLETIONS, server, request("", RATED));

            assertThat(pulled.ids()).hasSize(6).endsWith(SpecialTokens.RETURN);
            assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
            assertThat(pulled.steps()).allMatch(step -> step.logprobs() != null);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void vllmNamesTheTokensOfLogProbabilitiesByNumberOrByText(boolean byText) throws InterruptedException {
        List<Step.Token> expected;
        try (var vllm = FakeVllm.completions()) {
            expected = pull(VllmDialect.COMPLETIONS, vllm, request("", RATED)).steps();
        }
        try (var server = FakeVllm.tokens()) {
            if (byText) {
                server.nameByText();
            }
            assertThat(pull(VllmDialect.TOKENS, server, request("", RATED)).steps())
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sglangMayRepeatTheOutputOrTheLogProbabilitiesOrNeither(FakeSglang.Streaming streaming)
            throws InterruptedException {
        List<Step.Token> expected;
        try (var vllm = FakeVllm.completions()) {
            expected = pull(VllmDialect.COMPLETIONS, vllm, request("", RATED)).steps();
        }
        try (var server = new FakeSglang(streaming)) {
            assertThat(pull(new SglangDialect(), server, request("", RATED)).steps())
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sglangMayLeaveTheStopTokenOutOfTheIds(FakeSglang.Streaming streaming) throws InterruptedException {
        for (int said = 0; said < 6; said++) {
            int stop = PROMPT.length + said;
            try (var server = new FakeSglang(streaming)) {
                server.leaveStopOut();
                server.says(length -> length == stop ? SpecialTokens.RETURN : -1);

                var pulled = pull(new SglangDialect(), server, request("", RATED));

                assertThat(pulled.ids()).hasSize(said + 1).endsWith(SpecialTokens.RETURN);
                assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
            }
        }
    }

    @Test
    void sglangGetsTheSaltAndOneSeedForTheWholeOutput() throws InterruptedException {
        try (var server = new FakeSglang(FakeSglang.Streaming.CUMULATIVE)) {
            server.says(length -> length == PROMPT.length + 3 ? SpecialTokens.RETURN : -1);

            pull(
                    new SglangDialect(),
                    server,
                    new GenerationRequest(
                            "test", PROMPT, new int[0], RATED.withSeed(42), 8, Set.of(), TokenMask.ALL, "tenant-1"));

            assertThat(server.requests()).hasSize(2).allSatisfy(sent -> {
                assertThat(sent.path("extra_key").asText()).isEqualTo("tenant-1");
                assertThat(sent.path("sampling_params").path("sampling_seed").asInt())
                        .isEqualTo(42);
            });
        }
    }

    @Test
    void llamaServerDoesNotSendTheIdsInsideACharacter() throws InterruptedException {
        int[] bird = HarmonyTokenizer.shared().encode("\uD83E\uDD9C \uD83E\uDEBF!");
        assertThat(bird.length).as("tokens of two birds").isGreaterThan(4);
        try (var server = new FakeLlamaServer()) {
            server.says(length -> length - PROMPT.length < bird.length ? bird[length - PROMPT.length] : -1);

            assertThat(pull(new LlamaServerDialect(false), server, request("", Sampling.GREEDY))
                            .ids())
                    .startsWith(bird);
            for (int max = 1; max < bird.length; max++) {
                var cut = new GenerationRequest(
                        "test", PROMPT, new int[0], Sampling.GREEDY, max, Set.of(), TokenMask.ALL, "");
                var pulled = pull(new LlamaServerDialect(false), server, cut);
                assertThat(bird).as("the first %d", max).startsWith(pulled.ids());
                assertThat(pulled.ids()).hasSize(max);
            }
        }
    }

    @Test
    void llamaServerKeepsPromptsOnlyForOneTenant() throws InterruptedException {
        try (var server = new FakeLlamaServer()) {
            pull(new LlamaServerDialect(false), server, request("tenant-1", Sampling.GREEDY));
            var one = new LlamaServerDialect(true);
            for (var salt : List.of("tenant-1", "tenant-1", "tenant-2", "tenant-2")) {
                pull(one, server, request(salt, Sampling.GREEDY));
            }

            assertThat(server.requests())
                    .extracting(sent -> sent.path("cache_prompt").asBoolean())
                    .containsExactly(false, true, true, false, false);
        }
    }

    private static GenerationPull pull(ServerDialect dialect, FakeInference server, GenerationRequest request)
            throws InterruptedException {
        try (var engine = new RemoteEngine(TestOptions.of(dialect, server).options())) {
            return GenerationPull.all(engine, request);
        }
    }

    private static GenerationRequest request(String salt, Sampling sampling) {
        return new GenerationRequest(
                "test", PROMPT, new int[0], sampling, 12, Set.of(SpecialTokens.RETURN), TokenMask.ALL, salt);
    }
}
