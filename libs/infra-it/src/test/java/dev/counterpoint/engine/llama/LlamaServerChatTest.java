package dev.counterpoint.engine.llama;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.chat.ChatEngine;
import dev.counterpoint.engine.chat.ChatOptions;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.http.UpstreamAccess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The facts that the engine of Chat Completions reads from a real llama-server. Weights are made up: no answer of the
/// model counts.
@EnabledIfSystemProperty(named = "llama-server", matches = "required", disabledReason = "ask for it by -Pllama-server")
@Timeout(300)
class LlamaServerChatTest {
    private static final String CONVERSATION =
            "{% for m in messages %}<|im_start|>{{ m.role }}\\n{{ m.content }}<|im_end|>\\n{% endfor %}"
                    + "{% if add_generation_prompt %}";

    @TempDir
    private Path folder;

    @Test
    void qwen3sTemplateIsKnownAndItsModelOpens() throws Exception {
        var known = known(CONVERSATION + "{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is defined and"
                + " enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}");

        assertThat(known.text()).startsWith("llama-server ").contains("some-model, family qwen3 (by its template)");
        assertThat(known.rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(known.switches()).isTrue();
    }

    @Test
    void qwqsTemplateIsKnownAndOpensByItself() throws Exception {
        var known = known(CONVERSATION + "{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}");

        assertThat(known.text()).contains("family qwq (by its template)");
        assertThat(known.rule().unmarked()).isEqualTo(Unmarked.REASONING);
    }

    @Test
    void aTemplateOfNoFamilyProvesNothing() throws Exception {
        var known = known(CONVERSATION + "{{ '<|im_start|>assistant\\n' }}{% endif %}");

        assertThat(known.text()).contains("of no known family");
        assertThat(known.rule().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }

    private KnownModel known(String template) throws IOException, InterruptedException {
        var file = Files.writeString(folder.resolve("template.jinja"), template);
        // The name of the file tells the family, too; of two the last counts.
        var model = Files.createSymbolicLink(
                folder.resolve("some-model.gguf"), GgufTestModel.file().toAbsolutePath());
        var named = List.of("--model", model.toString(), "--alias", "some-model");
        var templated = List.of("--jinja", "--chat-template-file", file.toString());
        try (var server = LlamaServerProcess.start(
                        Stream.concat(named.stream(), templated.stream()).toArray(String[]::new));
                var engine = engine(server.address())) {
            await(() -> engine.health().status() == EngineHealth.Status.READY);
            return engine.known();
        }
    }

    private static ChatEngine engine(URI address) {
        var access =
                new UpstreamAccess(List.of(address), null, UpstreamAccess.Timeouts.DEFAULT, ChatEngine.HEALTH_PATH);
        return new ChatEngine(new ChatOptions(
                "some-model", "some-model", access, 4, 4096, List.of(), ChatOptions.Knowing.DEFAULT, null));
    }
}
