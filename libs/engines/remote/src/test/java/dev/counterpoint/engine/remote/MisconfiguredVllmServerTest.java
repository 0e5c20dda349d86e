package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A real vLLM that is set up wrongly.
@EnabledIfSystemProperty(named = "vllm", matches = "required", disabledReason = "ask for it by -Pvllm")
class MisconfiguredVllmServerTest extends MisconfiguredPythonServerTest {
    MisconfiguredVllmServerTest() {
        super(PythonServer.VLLM, VllmDialect.COMPLETIONS);
    }

    @Override
    protected Stream<SaidByDialect> otherKinds() {
        return Stream.of(
                new SaidByDialect(
                        VllmDialect.TOKENS,
                        "keeps /inference/v1/generate closed (HTTP 403): start it with --enable-scale-out,"
                                + " or take worker.engine=vllm"),
                new SaidByDialect(new SglangDialect(), "is vLLM and not SGLang: take worker.engine=vllm"),
                new SaidByDialect(
                        new LlamaServerDialect(false), "is vLLM and not llama-server: take worker.engine=vllm"));
    }

    @Test
    @Timeout(1800)
    void oneWithoutATokenizerServesAndIsSaidToHoldNothingToASchema() throws IOException, InterruptedException {
        var tokens = opened(PythonServer.VLLM.start("--tokens-only"));
        for (var dialect : List.of(VllmDialect.COMPLETIONS, VllmDialect.TOKENS)) {
            var engine = ready(engine(TestOptions.of(dialect, List.of(tokens.address()))));

            assertThat(engine.describe().text())
                    .isEqualTo("gpt-oss-20b by vLLM 0.32.0; does not tokenize, as with --tokens-only, and so holds"
                            + " nothing to a schema: start it with --enable-scale-out");
            saysAFewTokens(engine);
        }
    }

    @Test
    @Timeout(1800)
    void oneThatEmbedsIsLeftOutByName() throws IOException, InterruptedException {
        var embedding = opened(PythonServer.VLLM.start("--runner", "pooling"));
        var engine = engine(TestOptions.of(VllmDialect.COMPLETIONS, List.of(embedding.address())));

        await(() -> says(
                engine,
                "0 of 1 servers are well; left out: " + embedding.address()
                        + " has no /v1/completions (HTTP 404): start a vLLM that generates, without --runner pooling"));
    }
}
