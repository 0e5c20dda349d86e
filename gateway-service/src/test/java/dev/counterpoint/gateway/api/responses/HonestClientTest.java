package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.openai.responses.InputTransformation;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HonestClientTest {
    private static final int CLIENTS = 500;
    private static final int STEPS = 8;

    @Test
    void anHonestClientNeverLosesReasoningOfTheOpenTurn() {
        int compared = 0;
        for (int seed = 0; seed < CLIENTS; seed++) {
            var client = new HonestClient(seed);
            for (int step = 0; step < STEPS; step++) {
                // Given
                var open = client.open();
                var before = client.toString();
                // When
                var translated = client.step();
                // Then a request that was compacted has no reasoning at all
                var shown = translated.job().prompt().stream()
                        .filter(PromptItem.Sealed.class::isInstance)
                        .map(item -> ((PromptItem.Sealed) item).blob())
                        .toList();
                assertThat(translated.plan().compaction() == null ? open : List.of())
                        .as("seed %d, step %d: %s", seed, step, before)
                        .isEqualTo(shown);
                assertThat(Objects.requireNonNullElse(translated.plan().removed(), List.<InputTransformation>of()))
                        .as("seed %d, step %d", seed, step)
                        .allMatch(removed -> removed.reason().equals("turn_boundary"));
                compared += shown.size();
            }
        }
        assertThat(compared).isGreaterThan(CLIENTS * STEPS / 4);
    }
}
