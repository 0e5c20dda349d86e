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
        var writing = "summarizer.written.allowed";
        var describing = "summarizer.described.by-model";

        assertThat(models(Map.of(), WRITTEN)).isNull();
        assertThat(models(Map.of(writing, "true"), WRITTEN)).isInstanceOf(WrittenParts.class);
        assertThat(models(Map.of(writing, "true"), DESCRIBED)).isNull();
        assertThat(models(Map.of(describing, "true"), DESCRIBED)).isInstanceOf(DecidedParts.class);
        assertThat(models(Map.of(describing, "true"), WRITTEN)).isInstanceOf(DecidedParts.class);
        assertThat(models(Map.of(writing, "true", describing, "true"), WRITTEN)).isInstanceOf(WrittenParts.class);
    }

    private static @Nullable ModelParts models(Map<String, String> settings, SummaryJob job) {
        return texts(settings).byModel(job, "model", (_, _) -> {});
    }

    @Test
    void aPolicyFileWithMistakesOrNoneAtAllStopsTheStart(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("policy.json"), "{\"version\":2}");
        assertThatThrownBy(() -> texts(Map.of(
                        "summarizer.written.allowed", "true", "summarizer.written.policy-file", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("version: only 1 is known");
        assertThatThrownBy(() -> texts(
                        Map.of("summarizer.written.allowed", "true", "summarizer.written.policy-file", file + ".gone")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("summarizer.written.policy-file");
    }
}
