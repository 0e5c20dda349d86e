package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which server is asked when there are several, and what becomes of one that breaks.
@Timeout(240)
class SeveralServersTest extends WithServers {
    @Test
    void asksAnotherServerWhenOneBreaksBeforeTheFirstToken() throws InterruptedException {
        var expected = GenerationPull.all(engine(vllm()), request("", 8)).ids();
        List<FakeHttpServer.Handler> faults = List.of(
                FakeHttpServer.Exchange::cut,
                exchange -> exchange.answer(500, "{}"),
                exchange -> exchange.answer(429, "{}"),
                exchange -> {
                    exchange.beginEvents();
                    exchange.cut();
                },
                exchange -> {
                    exchange.beginEvents();
                    exchange.data("{\"error\":{\"message\":\"out of memory\"}}");
                });
        for (var fault : faults) {
            var one = vllm();
            var other = vllm();
            var engine = engine(one, other);
            var first = one;
            var second = other;
            // The one that would be asked.
            GenerationPull.all(engine, request("", 1));
            if (one.requests().isEmpty()) {
                first = other;
                second = one;
            }
            first.answers(fault);

            assertThat(GenerationPull.all(engine, request("", 8)).ids()).isEqualTo(expected);
            assertThat(second.requests()).hasSize(1);
        }
    }

    @Test
    void doesNotAskAnotherServerAfterTheFirstToken() throws InterruptedException {
        // Given
        var one = vllm();
        var other = vllm();
        for (var server : List.of(one, other)) {
            server.answers(exchange -> {
                exchange.beginEvents();
                exchange.data(TOKEN);
                exchange.cut();
            });
        }
        // When
        var pulled = GenerationPull.all(engine(one, other), request("", 8));
        // Then
        assertThat(pulled.ids()).containsExactly(17);
        assertThat(pulled.reason()).isEqualTo(StopReason.FAILED);
        assertThat(one.requests().size() + other.requests().size()).isEqualTo(1);
    }

    @Test
    void doesNotAskAgainWhatIsRefused() throws InterruptedException {
        // Given
        var one = vllm();
        var other = vllm();
        for (var server : List.of(one, other)) {
            server.answers(exchange -> exchange.answer(400, "{\"error\":{\"message\":\"the prompt\"}}"));
        }
        // When
        var pulled = GenerationPull.all(engine(one, other), request("", 8));
        // Then
        assertThat(pulled.stopped())
                .isEqualTo(new Step.Stopped(StopReason.REFUSED, "remote engine: the server answered with HTTP 400"));
        assertThat(one.requests().size() + other.requests().size()).isEqualTo(1);
    }

    @Test
    void endsAResponseOnceThatAServerRefusesInsideItsStream() throws InterruptedException {
        // vLLM 0.33.0, `entrypoints/serve/engine/serving.py`, `create_streaming_error_response`
        refusedOnce(vllm(), vllm(), "{\"error\":{\"message\":\"no\",\"code\":400}}", StopReason.REFUSED);
        refusedOnce(vllm(), vllm(), "{\"error\":{\"message\":\"no\",\"code\":422}}", StopReason.REFUSED);
        refusedOnce(
                vllm(),
                vllm(),
                "{\"error\":{\"message\":\"This model's maximum context length is 2048 tokens\",\"code\":400}}",
                StopReason.PROMPT_TOO_LONG);
        // SGLang 0.5.23, `entrypoints/http_server.py`, `generate_request`; `managers/scheduler.py`, `prepare_abort`
        refusedOnce(
                sglang(),
                sglang(),
                "{\"error\":{\"message\":\"The input (9 tokens) exceeds the context length (8)\"}}",
                StopReason.PROMPT_TOO_LONG);
        refusedOnce(sglang(), sglang(), "{\"error\":{\"message\":\"no\"}}", StopReason.REFUSED);
        refusedOnce(
                sglang(),
                sglang(),
                "{\"output_ids\":[],\"meta_info\":{\"completion_tokens\":0,\"finish_reason\":"
                        + "{\"type\":\"abort\",\"message\":\"no\",\"status_code\":400}}}",
                StopReason.REFUSED);
    }

    private FakeSglang sglang() {
        return opened(new FakeSglang(FakeSglang.Streaming.INCREMENTAL));
    }

    /// More often than failures take a server out.
    private void refusedOnce(FakeInference one, FakeInference other, String event, StopReason reason)
            throws InterruptedException {
        var dialect = one instanceof FakeVllm ? VllmDialect.COMPLETIONS : new SglangDialect();
        var engine = engine(TestOptions.of(dialect, one, other));
        await(() -> says(engine, "2 of 2 servers are well"));
        for (var server : List.of(one, other)) {
            server.answers(exchange -> {
                exchange.beginEvents();
                exchange.data(event);
            });
        }
        for (int i = 1; i <= 8; i++) {
            assertThat(GenerationPull.all(engine, request("", 8)).reason()).isEqualTo(reason);
            assertThat(one.requests().size() + other.requests().size()).isEqualTo(i);
        }
        assertThat(engine.health().detail()).isEqualTo("2 of 2 servers are well");
    }

    @Test
    void leavesAServerOutThatIsNotWellAndTakesItBack() throws InterruptedException {
        // Given
        var one = vllm();
        var other = vllm();
        var engine = engine(one, other);
        await(() -> says(engine, "2 of 2 servers are well"));
        // When
        one.isWell(false);
        await(() -> says(engine, "1 of 2 servers are well"));
        // Then
        for (int i = 0; i < 20; i++) {
            GenerationPull.all(engine, request("tenant-" + i, 1));
        }
        assertThat(one.requests()).isEmpty();
        one.isWell(true);
        await(() -> says(engine, "2 of 2 servers are well"));
        for (int i = 0; i < 20; i++) {
            GenerationPull.all(engine, request("tenant-" + i, 1));
        }
        assertThat(one.requests()).isNotEmpty();
    }

    @Test
    void isNotReadyWhileNobodyIsThereAndComesBackWhenSomebodyIs() throws InterruptedException {
        // Given
        var server = FakeVllm.completions();
        int port = server.port();
        var engine = engine(server);
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        // When
        server.close();
        // Then
        await(() -> engine.health().status() == EngineHealth.Status.STARTING);
        assertThat(engine.health().freeSlots()).isZero();
        assertThat(GenerationPull.all(engine, request("", 1)).stopped())
                .isEqualTo(new Step.Stopped(StopReason.FAILED, "remote engine: all servers are left out"));
        opened(FakeVllm.completionsAt(port));
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        assertThat(GenerationPull.all(engine, request("", 1)).reason()).isEqualTo(StopReason.LENGTH);
    }
}
