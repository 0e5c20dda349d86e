package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.engine.testkit.RequestVariants;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What servers are asked before they get jobs, and how one is refused that cannot serve.
@Timeout(240)
class ServerSurveyTest extends WithServers {
    private RemoteEngine ready(RemoteEngine engine) {
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        return engine;
    }

    private RemoteEngine ready(FakeInference... servers) {
        return ready(engine(servers));
    }

    private void refused(RemoteEngine engine, String... words) {
        await(() -> engine.health().detail().contains("left out"));
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
        assertThat(engine.health().detail()).contains(words);
        assertThat(engine.describe().text()).contains(words).doesNotContain("127.0.0.1");
    }

    @Test
    void takesTheContextOfTheSmallestServer() throws InterruptedException {
        // Given
        var one = vllm();
        var other = vllm();
        other.hasContext(200);
        // When
        var engine = ready(one, other);
        await(() -> engine.describe().contextLength() == 200);
        // Then: an output without a limit of its own ends there, and no server refuses it
        var pulled = GenerationPull.all(engine, request("", 640));
        assertThat(pulled.reason()).isEqualTo(StopReason.CONTEXT_FULL);
        assertThat(pulled.ids()).hasSize(200 - PROMPT.length);
        assertThat(engine.describe().text())
                .isEqualTo("gpt-oss-20b by vLLM 0.32.0;"
                        + " context of 200 tokens by a server, 640 by worker.remote.context-length");
    }

    @Test
    void leavesRoomForWhatSglangReservesWhileItDrafts() {
        var server = opened(new FakeSglang(FakeSglang.Streaming.INCREMENTAL));
        server.hasContext(300);
        server.runsWith("'speculative_algorithm':'EAGLE3','speculative_num_draft_tokens':4,"
                + "'speculative_eagle_topk':2,'speculative_num_steps':3");

        var engine = ready(engine(TestOptions.of(new SglangDialect(), server)));

        assertThat(engine.describe().contextLength()).isEqualTo(300 - 6 - 6);
    }

    @Test
    void warnsOfASglangThatRepeatsItself() {
        var engine = ready(
                engine(TestOptions.of(new SglangDialect(), opened(new FakeSglang(FakeSglang.Streaming.CUMULATIVE)))));

        assertThat(engine.describe().text())
                .startsWith("gpt-oss-20b by SGLang 0.5.23; repeats the whole output with every event")
                .contains("--incremental-streaming-output");
    }

    @Test
    void refusesAServerWhoseTokenEndpointIsClosedAndTakesItWhenItIsOpen() {
        var server = opened(FakeVllm.tokens());
        server.closeTokens(true);
        var engine = engine(TestOptions.of(VllmDialect.TOKENS, server));

        refused(engine, "keeps /inference/v1/generate closed (HTTP 403)", "start it with --enable-scale-out");

        server.closeTokens(false);
        ready(engine);
        assertThat(engine.describe().text()).isEqualTo("gpt-oss-20b by vLLM 0.32.0");
    }

    @Test
    void refusesAServerThatServesAnotherModel() {
        var server = vllm();
        server.serves("meta-llama/Llama-3.1-8B");

        refused(
                engine(TestOptions.of(VllmDialect.COMPLETIONS, server).withNames("openai/gpt-oss-20b", "secret")),
                "serves meta-llama/Llama-3.1-8B and not openai/gpt-oss-20b");
    }

    @Test
    void refusesAServerWhoseModelIsNotHarmony() {
        var server = vllm();
        server.isNotHarmony();

        refused(engine(server), "has a model that is not gpt-oss", "worker.engine=chat");
    }

    @Test
    void refusesAServerThatWantsAnotherKey() {
        var server = vllm();
        server.wantsKey("right");

        refused(engine(server), "wants a key, and worker.remote.api-key is not set (HTTP 401)");
        refused(
                engine(TestOptions.of(VllmDialect.COMPLETIONS, server).withNames("openai/gpt-oss-20b", "wrong")),
                "wants another key than the one of worker.remote.api-key (HTTP 401)");
        ready(engine(TestOptions.of(VllmDialect.COMPLETIONS, server).withNames("openai/gpt-oss-20b", "right")));
    }

    @Test
    void refusesAServerOfAnotherKind() {
        refused(engine(TestOptions.of(new SglangDialect(), vllm())), "is vLLM and not SGLang", "worker.engine=vllm");
        refused(
                engine(TestOptions.of(VllmDialect.COMPLETIONS, opened(FakeVllm.embedding()))),
                "has no /v1/completions (HTTP 404)",
                "without --runner pooling");
    }

    @Test
    void leavesAServerOutThatNoLongerLetsItInAndBlamesNoRequest() throws InterruptedException {
        var one = vllm();
        var other = vllm();
        var engine = engine(one, other);
        await(() -> says(engine, "2 of 2 servers are well"));
        for (var server : List.of(one, other)) {
            server.answers(exchange -> exchange.answer(404, "{\"error\":{\"message\":\"no such model\"}}"));
        }

        assertThat(GenerationPull.all(engine, request("", 2)).reason()).isEqualTo(StopReason.FAILED);

        assertThat(one.requests()).hasSize(1);
        assertThat(other.requests()).hasSize(1);
    }

    @Test
    void tellsAServerThatDraftsNoBias() throws InterruptedException {
        // Given
        var server = vllm();
        server.draft();
        var engine = ready(server);
        assertThat(engine.describe().text()).isEqualTo("gpt-oss-20b by vLLM 0.32.0; takes no logit_bias");
        // When
        var penalised = RequestVariants.resumed(
                RequestVariants.sampled(request("", 8), new Sampling(0, 1, 0, 0.5, 0.5, Map.of(), null, null)),
                new int[] {9, 9, 10});
        var pulled = GenerationPull.all(engine, penalised);
        var biased = GenerationPull.all(
                engine, RequestVariants.sampled(request("", 8), Sampling.GREEDY.withLogitBias(Map.of(17, 2.0))));
        // Then
        assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
        assertThat(biased.reason()).isEqualTo(StopReason.REFUSED);
        assertThat(server.requests()).hasSize(1).noneMatch(sent -> sent.has("logit_bias"));
    }

    @Test
    void resumesDrawsExactlyWhereTheServerDrawsBySeedAndPosition() throws InterruptedException {
        // Given
        var server = vllm();
        server.draw(FakeInference.Draws.BY_SEED_AND_POSITION);
        var engine = ready(server);
        assertThat(engine.describe().can(Ability.RESUMES_DRAWS)).isTrue();
        var request = RequestVariants.sampled(request("", 40), Sampling.DEFAULT.withSeed(42));
        // When
        int[] whole = GenerationPull.all(engine, request).ids();
        int[] rest = GenerationPull.all(engine, RequestVariants.resumed(request, Arrays.copyOf(whole, 15)))
                .ids();
        // Then
        assertThat(rest).isEqualTo(Arrays.copyOfRange(whole, 15, 40));
        assertThat(server.requests())
                .extracting(sent -> sent.path("seed").asInt())
                .containsOnly(42);
    }

    @Test
    void knowsAServerThatDrawsAnewWithEachRequest() {
        var server = vllm();
        server.draw(FakeInference.Draws.BY_SEED_AND_REQUEST);

        assertThat(ready(server).describe().can(Ability.RESUMES_DRAWS)).isFalse();
    }

    @Test
    void readsWhatVllmTellsAfterTheEndOfTheTokensThatItHadAlready() throws InterruptedException {
        for (var server : List.of(FakeVllm.completions(), FakeVllm.tokens())) {
            opened(server);
            server.tellsCached(3);
            var dialect = server.isTokens() ? VllmDialect.TOKENS : VllmDialect.COMPLETIONS;
            try (var generation = new PulledGeneration(engine(TestOptions.of(dialect, server)), request("", 5))) {
                GenerationPull.all(generation);

                assertThat(generation.cachedTokens()).isEqualTo(3);
            }
        }
    }

    @Test
    void triesAServerWithAFewTokensOnly() {
        var server = vllm();

        ready(server);

        assertThat(server.trials())
                .hasSizeBetween(3, 6)
                .allSatisfy(sent -> assertThat(sent.path("max_tokens").asInt()).isLessThan(13));
        assertThat(server.trials()).extracting(ServerSurveyTest::priority).contains(1);
    }

    @Test
    void hasAsManySlotsAsItsServersTake() {
        // Given: one that runs 64 at once, and says so; one that says what it has to do
        var sglang = opened(new FakeSglang(FakeSglang.Streaming.INCREMENTAL));
        assertThat(ready(engine(TestOptions.of(new SglangDialect(), sglang).withoutSlots()))
                        .describe()
                        .slots())
                .isEqualTo(64);
        var vllm = vllm();
        var engine = ready(engine(TestOptions.of(VllmDialect.COMPLETIONS, vllm).withoutSlots()));
        assertThat(engine.health().freeSlots()).isEqualTo(SlotLimit.FIRST);
        // When
        vllm.says("vllm:num_requests_running{} 100\nvllm:num_requests_waiting{} 100\n");
        // Then: none of ours runs, so ours are few
        await(() -> engine.describe().slots() == SlotLimit.MIN);
        assertThat(engine.health().freeSlots()).isEqualTo(SlotLimit.MIN);
    }

    private static int priority(JsonNode sent) {
        return sent.path("priority").asInt();
    }
}
