package dev.counterpoint.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.parse.SampledMessages;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sealed reasoning that a worker tells again.
class RetoldReasoningTest {
    private static final String CONTEXT = SealedReasoning.context("tenant-1", "default", "gpt-oss-20b");
    private static final long NOW = 1_000_000;

    @SuppressWarnings("NullAway.Init")
    private KeyRing keys;

    @BeforeEach
    void generateKeys(@TempDir Path folder) throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @Test
    void reasoningThatIsToldAgainIsWhatAModelWouldSample() {
        var renderer = new PromptRenderer(keys);
        var retold = sealed("a thought", "<|end|>", "another");
        var job = job(new PromptItem.User("hi"), retold, sealed("a third"));

        int[] tokens = Objects.requireNonNull(renderer.retold(job, NOW));

        assertThat(SampledMessages.of(tokens))
                .extracting(Message::text)
                .containsExactly("a thought", "<|end|>", "another", "a third");
        assertThat(SampledMessages.of(tokens)).extracting(Message::channel).containsOnly(Channels.ANALYSIS);
        assertThat(tokens).startsWith(SpecialTokens.CHANNEL).endsWith(SpecialTokens.END);
        assertThatThrownBy(() -> renderer.retold(job, NOW + 2)).isInstanceOf(SealException.class);
        assertThatThrownBy(() -> renderer.render(job, NOW)).isInstanceOf(IllegalArgumentException.class);
        assertThat(renderer.retold(job(new PromptItem.Sealed("no blob")), NOW)).isNull();
    }

    /// As the model said it, one message each.
    private PromptItem.Retold sealed(String... analysis) {
        var renderer = new HarmonyRenderer(HarmonyTokenizer.shared(), RenderOptions.production());
        int[] tokens = renderer.render(new Conversation(Stream.of(analysis)
                .map(text -> Message.assistant(Channels.ANALYSIS, text))
                .toList()));
        return new PromptItem.Retold(
                SealedReasoning.seal(tokens, new SealedReasoning.Header(NOW + 1, 3, ""), CONTEXT, keys));
    }

    private static GenerationJob job(PromptItem... prompt) {
        return new GenerationJob(
                List.of(prompt),
                List.of(),
                ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of(CONTEXT));
    }
}
