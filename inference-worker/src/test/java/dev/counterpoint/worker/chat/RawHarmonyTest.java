package dev.counterpoint.worker.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A gpt-oss whose server leaves its Harmony in the text.
@Timeout(60)
class RawHarmonyTest extends WithChatServer {
    @ParameterizedTest
    @DisplayName("F11 a call in raw Harmony, too, is addressed to the function that was declared")
    @ValueSource(
            strings = {
                "<|channel|>analysis<|message|>R<|end|><|start|>assistant<|channel|>commentary to=functions.weather"
                        + " <|constrain|>json<|message|>{\"city\":\"Bonn\"}<|call|>",
                "analysisRassistantcommentary to=functions.weather json{\"city\":\"Bonn\"}",
            })
    void aCallInRawHarmonyIsACall(String text) throws Exception {
        server.types(text);

        var said = say(harmonyEngine(), request(offering(ToolChoice.AUTO), new int[0], 1000));

        assertThat(said.told()).isEqualTo("R analysis: R | V functions.weather: {\"city\":\"Bonn\"}");
    }
}
