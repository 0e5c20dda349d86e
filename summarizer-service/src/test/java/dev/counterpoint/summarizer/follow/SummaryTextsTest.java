package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.testkit.TestConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTextsTest {
    private static final SummaryJob JOB =
            new SummaryJob(SummaryJob.Detail.AUTO, List.of(), "Which bread?", SummaryTier.WRITTEN);

    private static SummaryTexts texts(Map<String, String> settings) {
        return new SummaryTexts(TestConfig.of(SummarizerConfig.class, settings));
    }

    @Test
    void noModelWritesUnlessTheOperatorAllowsIt() {
        assertThat(texts(Map.of()).writing(JOB, "model", (_, _) -> {})).isNull();
        assertThat(texts(Map.of("summarizer.written.allowed", "true")).writing(JOB, "model", (_, _) -> {}))
                .isNotNull();
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
