package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.testkit.SchemaAnswers;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A real SGLang that is set up wrongly.
@EnabledIfSystemProperty(named = "sglang", matches = "required", disabledReason = "ask for it by -Psglang")
class MisconfiguredSglangServerTest extends MisconfiguredPythonServerTest {
    MisconfiguredSglangServerTest() {
        super(PythonServer.SGLANG, new SglangDialect());
    }

    @Override
    protected Stream<SaidByDialect> otherKinds() {
        return Stream.of(
                new SaidByDialect(VllmDialect.COMPLETIONS, "is SGLang and not vLLM: take worker.engine=sglang"),
                new SaidByDialect(VllmDialect.TOKENS, "is SGLang and not vLLM: take worker.engine=sglang"),
                new SaidByDialect(
                        new LlamaServerDialect(false), "is SGLang and not llama-server: take worker.engine=sglang"));
    }

    static Stream<List<String>> withoutGrammars() {
        return Stream.of(List.of("--skip-tokenizer-init"), List.of("--grammar-backend", "none"));
    }

    @ParameterizedTest
    @MethodSource("withoutGrammars")
    @Timeout(1800)
    void oneWithoutGrammarsServesAndIsSaidToHoldNothingToASchema(List<String> arguments)
            throws IOException, InterruptedException {
        var free = opened(PythonServer.SGLANG.start(arguments.toArray(String[]::new)));
        var engine = ready(engine(TestOptions.of(new SglangDialect(), List.of(free.address()))));

        assertThat(engine.describe().text())
                .isEqualTo("gpt-oss-20b by SGLang 0.5.23; holds nothing to a schema: start it without"
                        + " --skip-tokenizer-init and --grammar-backend none");
        saysAFewTokens(engine);
        assertThat(SchemaAnswers.of(engine, 2)).isEqualTo(new SchemaAnswers(0, 2, 0));
    }
}
