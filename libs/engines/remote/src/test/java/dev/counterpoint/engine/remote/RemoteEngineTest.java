package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.openai.sse.SseParser;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the engine tells a server, and what it does with one that dawdles or says what it should not.
@Timeout(240)
class RemoteEngineTest extends WithServers {
    @Test
    void tellsTheServerTheSaltTheModelAndTheKey() throws InterruptedException {
        // Given
        var server = vllm();
        var engine = engine(TestOptions.of(VllmDialect.COMPLETIONS, server).withNames("openai/gpt-oss-20b", "secret"));
        // When
        GenerationPull.all(engine, request("tenant-1", 2));
        GenerationPull.all(engine, request("", 2));
        // Then
        assertThat(server.requests().getFirst().path("model").asText()).isEqualTo("openai/gpt-oss-20b");
        assertThat(server.requests().getFirst().path("cache_salt").asText()).isEqualTo("tenant-1");
        assertThat(server.requests().getLast().has("cache_salt")).isFalse();
        assertThat(server.authorizations()).containsOnly("Bearer secret");
        assertThat(engine.describe().toString()).doesNotContain("secret");
    }

    @Test
    void drawsBySeedAndByWhereItGoesOn() throws InterruptedException {
        // Given
        var server = vllm();
        server.draw(FakeInference.Draws.BY_SEED_AND_REQUEST);
        var engine = engine(server);
        var request = RequestVariants.sampled(request("", 8), Sampling.DEFAULT.withSeed(42));
        // When
        GenerationPull.all(engine, request);
        GenerationPull.all(engine, RequestVariants.resumed(request, new int[] {1, 2, 3}));
        GenerationPull.all(engine, RequestVariants.resumed(request, new int[] {1, 2, 3}));
        GenerationPull.all(engine, RequestVariants.resumed(request, new int[] {1, 2}));
        // Then
        var seeds = server.requests().stream()
                .map(sent -> sent.path("seed").asLong())
                .toList();
        assertThat(seeds.getFirst()).isEqualTo(42);
        assertThat(seeds.get(1)).isEqualTo(seeds.get(2));
        assertThat(Set.copyOf(seeds)).hasSize(3).allMatch(seed -> seed >= 0 && seed <= Integer.MAX_VALUE);
    }

    @Test
    void tellsWhatTheServerHadAlreadyWhereThatSaysSo() throws InterruptedException {
        // Given
        var sglang =
                engine(TestOptions.of(new SglangDialect(), opened(new FakeSglang(FakeSglang.Streaming.CUMULATIVE))));
        var llama = engine(TestOptions.of(new LlamaServerDialect(false), opened(new FakeLlamaServer())));

        // Then
        assertThat(cached(sglang)).isEqualTo(FakeSglang.CACHED);
        assertThat(cached(llama)).isEqualTo(FakeLlamaServer.CACHED);
        assertThat(cached(engine(vllm()))).isZero();
    }

    private static int cached(RemoteEngine engine) throws InterruptedException {
        try (var generation = new PulledGeneration(engine, request("", 2))) {
            GenerationPull.all(generation);
            return generation.cachedTokens();
        }
    }

    @Test
    void endsTheConnectionOnCancel() throws InterruptedException {
        // Given
        var server = vllm();
        var gone = new CountDownLatch(1);
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data(TOKEN);
            exchange.awaitGone();
            gone.countDown();
        });
        var generation = opened(new PulledGeneration(engine(server), request("", 8)));
        while (!(generation.next() instanceof Step.Token)) {
            // Bounded by the test's timeout.
        }
        // When
        generation.cancel();
        // Then
        gone.await();
        assertThat(GenerationPull.all(generation).reason()).isEqualTo(StopReason.CANCELLED);
    }

    @Test
    void endsTheConnectionOnCancelBeforeTheAnswerToo() throws InterruptedException {
        // Given
        var server = vllm();
        var asked = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        server.answers(exchange -> {
            asked.countDown();
            exchange.awaitGone();
            gone.countDown();
        });
        var generation = opened(new PulledGeneration(engine(server), request("", 8)));
        asked.await();
        // When
        generation.close();
        // Then
        gone.await();
        assertThat(generation.next()).isEqualTo(new Step.Stopped(StopReason.CANCELLED));
    }

    @Test
    void makesTheServerWaitForAReaderThatDoesNotPull() throws InterruptedException {
        // Given
        int events = 4000;
        var padding = ":" + "x".repeat(32 * 1024) + "\n\n";
        var sent = new AtomicInteger();
        var server = vllm();
        server.answers(exchange -> {
            exchange.beginEvents();
            while (sent.get() < events) {
                exchange.send(padding + "data: " + TOKEN + "\n\n");
                sent.incrementAndGet();
            }
        });
        // When
        var generation = opened(new PulledGeneration(engine(server), request("", events)));
        // Then: what the sockets hold, at most 16 MiB, and what lies ready
        int pulled = 0;
        while (pulled < 200) {
            pulled += generation.next() instanceof Step.Token ? 1 : 0;
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            assertThat(sent.get() - pulled).isLessThan(600);
        }
    }

    @Test
    void usesAConnectionAgain() throws InterruptedException {
        var server = vllm();
        var engine = engine(TestOptions.of(VllmDialect.COMPLETIONS, server)
                .withTimes(new UpstreamAccess.Timeouts(
                        Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofHours(1))));

        // The rest of an answer is read in the background, so not every request finds a connection.
        while (server.connections() > server.requests().size()) {
            GenerationPull.all(engine, request("", 3));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "[]",
                "{\"secret\":1}",
                "{\"choices\":[{}]}",
                "{\"choices\":[{\"token_ids\":null,\"text\":\"secret\"}]}",
                "{\"choices\":[{\"token_ids\":[201088]}]}",
                "{\"choices\":[{\"token_ids\":[-1]}]}",
                "{\"choices\":[{\"token_ids\":[1.5]}]}",
                "{\"choices\":[{\"token_ids\":[\"secret\"]}]}",
                "{\"choices\":[{\"token_ids\":[99999999999]}]}",
                "{\"choices\":[{\"token_ids\":[],\"finish_reason\":\"secret\"}]}",
                "{\"choices\":[{\"token_ids\":[],\"finish_reason\":\"abort\"}]}",
                "{\"object\":\"error\",\"message\":\"secret\"}",
                "{\"error\":{\"message\":\"secret\"}}",
                "[DONE]"
            })
    void failsWithoutContentWhenTheServerSaysWhatItShouldNot(String event) throws InterruptedException {
        var server = vllm();
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data(TOKEN);
            exchange.data(event);
        });

        var pulled = GenerationPull.all(engine(server), request("", 8));

        assertThat(pulled.ids()).containsExactly(17);
        assertThat(pulled.reason()).isEqualTo(StopReason.FAILED);
        assertThat(pulled.stopped().detail()).startsWith("remote engine: ").doesNotContain("secret");
    }

    @Test
    void failsWhenTheServerStopsBeforeItSaysAnything() throws InterruptedException {
        var server = vllm();
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data("{\"choices\":[{\"token_ids\":[],\"finish_reason\":\"stop\"}]}");
        });

        assertThat(GenerationPull.all(engine(server), request("", 8)).stopped())
                .isEqualTo(new Step.Stopped(StopReason.FAILED, "remote engine: the server stopped without a token"));
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void failsWhenAnEventIsTooLong() throws InterruptedException {
        var server = vllm();
        var piece = "x".repeat(1024 * 1024);
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.send("data: ");
            for (int i = 0; i <= SseParser.BLOCK_BYTES_MAX / piece.length(); i++) {
                exchange.send(piece);
            }
        });

        assertThat(GenerationPull.all(engine(server), request("", 8)).stopped().detail())
                .contains("longer than");
    }

    @Test
    void failsWhenTheServerIsLate() throws InterruptedException {
        var server = vllm();
        var hasty = TestOptions.of(VllmDialect.COMPLETIONS, server)
                .withTimes(new UpstreamAccess.Timeouts(
                        Duration.ofSeconds(30), Duration.ofMillis(700), Duration.ofMillis(300), Duration.ofHours(1)));
        List<FakeHttpServer.Handler> late = List.of(
                FakeHttpServer.Exchange::awaitGone,
                exchange -> {
                    exchange.beginEvents();
                    exchange.awaitGone();
                },
                exchange -> {
                    exchange.beginEvents();
                    exchange.data(TOKEN);
                    exchange.awaitGone();
                });
        for (var handler : late) {
            server.answers(handler);
            var stopped = GenerationPull.all(engine(hasty), request("", 8)).stopped();
            assertThat(stopped.reason()).isEqualTo(StopReason.FAILED);
            assertThat(stopped.detail()).endsWith(" in time");
        }
    }

    @Test
    void isAtWorkWhileAServerThatHasBegunToSpeakIsSilent() throws InterruptedException {
        // Given
        var server = vllm();
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data(TOKEN);
            exchange.awaitGone();
        });
        var generation = opened(new PulledGeneration(engine(server), request("", 8)));
        while (!(generation.next() instanceof Step.Token)) {
            // Bounded by the test's timeout.
        }
        // Then
        assertThat(next(generation)).isNull();
        assertThat(generation.moved()).isTrue();
        assertThat(next(generation)).isNull();
        assertThat(generation.moved()).isTrue();
    }

    @Test
    void isAtWorkWhileARequestWaitsInAServerThatIsWell() throws InterruptedException {
        // Given
        var server = vllm();
        server.answers(FakeHttpServer.Exchange::awaitGone);
        var generation = opened(new PulledGeneration(engine(server), request("", 8)));
        // Then
        await(generation::moved);
        await(generation::moved);
    }

    @Test
    void goesOnWhereTheServerStopsByItself() throws InterruptedException {
        // Given: a stop token that vLLM merges into every request
        var server = vllm();
        server.says(length -> length == PROMPT.length + 3 ? SpecialTokens.CALL : -1);
        // When
        var pulled = GenerationPull.all(engine(server), request("", 8));
        // Then
        assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
        assertThat(pulled.ids()).hasSize(8);
        assertThat(pulled.ids()[3]).isEqualTo(SpecialTokens.CALL);
        assertThat(server.requests())
                .extracting(sent -> sent.path("prompt").size())
                .containsExactly(4, 8);
        assertThat(server.requests()).extracting(RemoteEngineTest::maxTokens).containsExactly(8, 4);
    }

    @Test
    void saysThatTheContextIsFullWhenTheServersIsTheSmallerOne() throws InterruptedException {
        var server = vllm();
        server.answers(exchange -> {
            exchange.beginEvents();
            exchange.data("{\"choices\":[{\"token_ids\":[17],\"finish_reason\":\"length\"}]}");
        });

        var pulled = GenerationPull.all(engine(server), request("", 8));

        assertThat(pulled.ids()).containsExactly(17);
        assertThat(pulled.reason()).isEqualTo(StopReason.CONTEXT_FULL);
    }

    @Test
    void readsAddressesAsASettingHasThem() {
        assertThat(UpstreamAccess.addresses("http://a:8000, https://b/base/"))
                .containsExactly(URI.create("http://a:8000"), URI.create("https://b/base"));
    }

    private static int maxTokens(JsonNode request) {
        return request.path("max_tokens").asInt();
    }
}
