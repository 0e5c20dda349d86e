package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each item renders as one token here.
class PromptTruncationTest {
    private static final int TURNS = 100;
    private static final int ITEMS_A_TURN = 4;

    private final AtomicReference<GenerationJob> rendered = new AtomicReference<>();
    private final AtomicInteger renderings = new AtomicInteger();

    @ParameterizedTest(name = "context {0}, output at most {1}: {2} turns are left out")
    @CsvSource({"1000,0,0", "536,0,0", "400,0,26", "400,8,3", "400,1000,51", "160,0,71", "8,0,99", "4,0,99"})
    void leavesOutAsFewOfTheOldestTurnsAsItTakes(int contextLength, int outputMax, int left) {
        // When
        int[] prompt = PromptTruncation.fit(job(outputMax, true), contextLength, this::render);

        // Then
        int kept = (TURNS - left) * ITEMS_A_TURN + 2;
        assertThat(prompt).hasSize(kept);
        assertThat(renderings.get()).isLessThan(10);
    }

    @Test
    void instructionsStayWhereverTheyStand() {
        PromptTruncation.fit(job(0, true), 8, this::render);

        assertThat(rendered.get().prompt())
                .containsSubsequence(
                        new PromptItem.Instructions("first"),
                        new PromptItem.Instructions("in turn 50"),
                        new PromptItem.User("question 99"),
                        new PromptItem.Call("c99", "f", "{}"),
                        new PromptItem.CallOutput("c99", "f", "99"));
    }

    @Test
    void nothingIsLeftOutUnlessTheRequestWantsThat() {
        int[] prompt = PromptTruncation.fit(job(0, false), 8, this::render);

        assertThat(prompt).hasSize(TURNS * ITEMS_A_TURN + 2);
    }

    private int[] render(GenerationJob job) {
        renderings.incrementAndGet();
        rendered.set(job);
        return new int[job.prompt().size()];
    }

    private static GenerationJob job(int outputMax, boolean forgets) {
        var prompt = new ArrayList<PromptItem>();
        prompt.add(new PromptItem.Instructions("first"));
        for (int turn = 0; turn < TURNS; turn++) {
            prompt.add(new PromptItem.User("question " + turn));
            if (turn == 50) {
                prompt.add(new PromptItem.Instructions("in turn 50"));
            }
            prompt.add(new PromptItem.Call("c" + turn, "f", "{}"));
            prompt.add(new PromptItem.CallOutput("c" + turn, "f", String.valueOf(turn)));
            prompt.add(new PromptItem.Assistant("answer", false));
        }
        var job = new GenerationJob(
                prompt,
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "",
                null,
                GenerationJob.Sampling.DEFAULT,
                outputMax,
                GenerationJob.ReasoningTerms.of("c"));
        return job.with(new GenerationJob.Leeway(false, forgets));
    }
}
