package dev.counterpoint.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the model sees of tools: their results and their parameters.
class ToolPromptTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static PromptRenderer renderer;

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        renderer = new PromptRenderer(KeyRing.load(folder, ServiceRole.WORKER));
    }

    @Test
    void anyPermutationOfResultsGivesThePromptInWhichTheyFollowTheirCalls() {
        var random = new Random(43);
        for (int i = 0; i < 300; i++) {
            // Given
            var calls = new ArrayList<Integer>();
            var results = new ArrayList<Integer>();
            var ordered = new ArrayList<PromptItem>(List.of(new PromptItem.User("hi")));
            var permuted = new ArrayList<>(ordered);
            for (int turn = 0; turn < 2; turn++) {
                var ids = new ArrayList<>(List.of(1, 2, 3, 4));
                Collections.shuffle(ids, random);
                calls.addAll(ids);
                Collections.shuffle(ids, random);
                results.addAll(ids);
                turn(ordered, turn, calls, calls);
                turn(permuted, turn, calls, results);
            }
            // Then
            assertThat(rendered(permuted)).isEqualTo(rendered(ordered));
        }
    }

    /// Four calls, then their results; the ids come again in every turn.
    private static void turn(List<PromptItem> prompt, int turn, List<Integer> calls, List<Integer> results) {
        calls.subList(turn * 4, turn * 4 + 4).forEach(id -> prompt.add(new PromptItem.Call("c" + id, "f" + id, "{}")));
        results.subList(turn * 4, turn * 4 + 4)
                .forEach(id -> prompt.add(new PromptItem.CallOutput("c" + id, "f" + id, "result " + id + turn)));
    }

    @Test
    void aResultWaitsForTheResultOfAnEarlierCall() {
        var prompt = rendered(List.of(
                new PromptItem.User("hi"),
                new PromptItem.Call("a", "f", "{}"),
                new PromptItem.Call("b", "f", "{}"),
                new PromptItem.CallOutput("b", "f", "of b"),
                new PromptItem.Call("c", "f", "{}"),
                new PromptItem.CallOutput("c", "f", "of c"),
                new PromptItem.CallOutput("a", "f", "of a")));

        assertThat(prompt).containsSubsequence("of a", "<|call|>", "of b", "of c");
    }

    private static String rendered(List<PromptItem> prompt, FunctionTool... tools) {
        var job = new GenerationJob(
                prompt,
                List.of(tools),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("t|p|m"));
        return HarmonyTokenizer.shared().decode(renderer.render(job, 0));
    }
}
