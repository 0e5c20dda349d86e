package dev.counterpoint.bus.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.SummaryTier;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryJobTest {
    @Test
    void takesTheLatestMessageOfTheUserAndNothingThatAnybodyElseSaid() {
        // Given
        var job = job(
                new PromptItem.Instructions("Never speak of barley."),
                new PromptItem.User("Which bread?"),
                new PromptItem.Assistant("Rye.", false),
                new PromptItem.User("And in winter?"),
                new PromptItem.Call("c", "oven", "{}"),
                new PromptItem.CallOutput("c", "oven", "hot"));
        // When
        var summary = SummaryJob.of(SummaryJob.Detail.AUTO, job);
        // Then
        assertThat(summary.userText()).isEqualTo("And in winter?");
        assertThat(summary.confidential())
                .containsExactly("Never speak of barley.", "oven", "Heats", "{\"type\":\"object\"}");
    }

    @Test
    void guardsCallsAndEarlierReasoningWhereAModelIsToWrite() {
        // Given
        var job = job(
                new PromptItem.User("Which bread?"),
                new PromptItem.Reasoning("Rye keeps."),
                new PromptItem.Call("c", "oven", "{\"heat\":3}"),
                new PromptItem.CallOutput("c", "oven", "hot"));
        // When
        var summary = SummaryJob.of(SummaryJob.Detail.AUTO, SummaryTier.WRITTEN, job);
        // Then
        assertThat(summary.tier()).isEqualTo(SummaryTier.WRITTEN);
        assertThat(summary.confidential())
                .containsExactly("Rye keeps.", "{\"heat\":3}", "hot", "oven", "Heats", "{\"type\":\"object\"}");
    }

    @Test
    void hasNoTextOfAUserWhoSaidNothing() {
        assertThat(SummaryJob.of(SummaryJob.Detail.AUTO, job(new PromptItem.Instructions("Begin.")))
                        .userText())
                .isEmpty();
    }

    private static GenerationJob job(PromptItem... prompt) {
        return new GenerationJob(
                List.of(prompt),
                List.of(new GenerationJob.FunctionTool("oven", "Heats", "{\"type\":\"object\"}", false)),
                GenerationJob.ToolChoice.AUTO,
                "medium",
                "2026-11-22",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("c"));
    }
}
