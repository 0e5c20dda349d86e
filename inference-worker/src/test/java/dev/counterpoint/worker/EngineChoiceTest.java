package dev.counterpoint.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.testkit.TestConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineChoiceTest {
    @Test
    void takesTheSimulatedEngineUnlessAnotherIsNamed() {
        var description = describe(Map.of());

        assertThat(description.engine()).isEqualTo("simulated");
        assertThat(description.model()).isEqualTo("counterpoint-simulated");
        assertThat(description.text())
                .isEqualTo("Simulated stand-in for counterpoint-simulated: deterministic, no model behind it");
    }

    @Test
    void namesTheSettingThatTheLlamaEngineLacks() {
        assertThatThrownBy(() -> describe(Map.of("worker.engine", "llama")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worker.model-path");
    }

    @Test
    void takesAModelThatIsNotHarmonyAndSaysHowItMayShowItsReasoning() {
        var settings = Map.of(
                "worker.engine", "chat", "worker.engine-url", "http://localhost:1/v1", "worker.model-name", "other");
        var wrong = new HashMap<>(settings);
        wrong.put("worker.chat.reasoning", "think,loudly");

        assertThat(describe(settings).abilities()).containsExactly(EngineDescription.Ability.MESSAGES);
        assertThatThrownBy(() -> describe(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("worker.chat.reasoning: 'loudly' is no strategy; there are envelope, report-reasoning,"
                        + " markers, think, think-open, post-hoc, none, or auto alone");
    }

    @Test
    void saysWhichSettingOfAModelThatIsNotHarmonyIsWrong() {
        var settings = Map.of(
                "worker.engine", "chat", "worker.engine-url", "http://localhost:1/v1", "worker.model-name", "other");
        var wrong = Map.of(
                "family", "qwen 3000",
                "marks", "<a>",
                "ask-interval", "-1s",
                "reasoning", "auto,think");
        wrong.forEach((name, value) -> {
            var all = new HashMap<>(settings);
            all.put("worker.chat." + name, value);
            assertThatThrownBy(() -> describe(all)).hasMessageContaining("worker.chat." + name);
        });
        var right = new HashMap<>(settings);
        right.putAll(Map.of("worker.chat.family", "qwen3", "worker.chat.marks", "<a>…</a>,[b]…[/b]"));
        assertThat(describe(right).text()).isEqualTo("other is being asked how it shows reasoning");
    }

    @Test
    void saysWhichEnginesThereAre() {
        assertThatThrownBy(() -> describe(Map.of("worker.engine", "none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worker.engine is 'none'; this build has: simulated, llama, vllm,"
                        + " vllm-tokens, sglang, llama-server");
    }

    @Test
    void takesAnEngineOfServersAndNamesTheSettingThatItLacks() {
        var kinds = Map.of("vllm", "vLLM", "vllm-tokens", "vLLM", "sglang", "SGLang", "llama-server", "llama-server");
        kinds.forEach((kind, server) -> {
            var url = Map.of("worker.engine", kind, "worker.engine-url", "http://127.0.0.1:9, http://[::1]:9/base/");
            var all = new HashMap<>(url);
            all.put("worker.model-name", "gpt-oss-20b");
            assertThat(describe(all).text()).startsWith("gpt-oss-20b by " + server);
            assertThatThrownBy(() -> describe(url))
                    .hasMessageContaining(kind)
                    .hasMessageContaining("worker.model-name");
            all.remove("worker.engine-url");
            assertThatThrownBy(() -> describe(all))
                    .hasMessageContaining(kind)
                    .hasMessageContaining("worker.engine-url");
            all.put("worker.engine-url", "http://user:secret@host");
            assertThatThrownBy(() -> describe(all))
                    .hasMessageContaining("worker.engine-url")
                    .hasMessageNotContaining("secret");
            all.putAll(url);
            all.put("worker.remote.idle-timeout", "0s");
            assertThatThrownBy(() -> describe(all)).hasMessageContaining("worker.remote.idle-timeout");
        });
    }

    private static EngineDescription describe(Map<String, String> settings) {
        var config = TestConfig.of(WorkerConfig.class, settings);
        try (var engine = EngineChoice.engine(config, new SimpleMeterRegistry())) {
            return engine.describe();
        }
    }
}
