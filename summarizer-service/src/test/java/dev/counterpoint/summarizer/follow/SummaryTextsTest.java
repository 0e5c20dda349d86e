package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.summarizer.write.DecidedParts;
import dev.counterpoint.summarizer.write.ModelParts;
import dev.counterpoint.summarizer.write.WrittenParts;
import dev.counterpoint.testkit.TestConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTextsTest {
    private static final SummaryJob WRITTEN =
            new SummaryJob(SummaryJob.Detail.AUTO, List.of(), "Which bread?", SummaryTier.WRITTEN);
    private static final SummaryJob DESCRIBED =
            new SummaryJob(SummaryJob.Detail.AUTO, List.of(), "Which bread?", SummaryTier.DESCRIBED);

    private static SummaryTexts texts(Map<String, String> settings) {
        return new SummaryTexts(TestConfig.of(SummarizerConfig.class, settings));
    }

    @Test
    void modelsHaveASayWhereOperatorAndRequestAllowIt() {
        var off = Map.of("summarizer.described.by-model", "false");
        var writing = Map.of("summarizer.written.allowed", "true", "summarizer.written.policy-model", "judge");

        assertThat(models(off, DESCRIBED)).isNull();
        assertThat(models(Map.of(), DESCRIBED)).isInstanceOf(DecidedParts.class);
        assertThat(models(Map.of(), WRITTEN)).isInstanceOf(DecidedParts.class);
        assertThat(models(writing, WRITTEN)).isInstanceOf(WrittenParts.class);
        assertThat(models(writing, DESCRIBED)).isInstanceOf(DecidedParts.class);
    }

    @Test
    void nothingIsWrittenWithoutAPolicyModelOrInALanguageWithoutAList() {
        var polish = new SummaryJob(
                SummaryJob.Detail.AUTO, List.of(), "Jaki chleb jest najlepszy i dlaczego?", SummaryTier.WRITTEN);
        var allowed = Map.of("summarizer.written.allowed", "true");
        var writing = Map.of("summarizer.written.allowed", "true", "summarizer.written.policy-model", "judge");

        assertThat(models(allowed, WRITTEN)).isInstanceOf(DecidedParts.class);
        assertThat(models(writing, polish)).isInstanceOf(DecidedParts.class);
    }

    private static @Nullable ModelParts models(Map<String, String> settings, SummaryJob job) {
        return texts(settings).byModel(job, "model", (_, _) -> {});
    }

    @Test
    void anEmptyPolicyFileOrNoneAtAllStopsTheStart(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("policy.md"), " ");
        assertThatThrownBy(() -> texts(policyFile(file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("summarizer.written.policy-file");
        assertThatThrownBy(() -> texts(policyFile(file + ".gone")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("summarizer.written.policy-file");
    }

    private static Map<String, String> policyFile(String path) {
        return Map.of(
                "summarizer.written.allowed", "true",
                "summarizer.written.policy-model", "judge",
                "summarizer.written.policy-file", path);
    }
}
