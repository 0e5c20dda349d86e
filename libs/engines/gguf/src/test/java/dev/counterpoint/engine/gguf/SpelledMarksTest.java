package dev.counterpoint.engine.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpelledMarksTest {
    private static final SpelledMarks MARKS = new SpelledMarks(List.of("<|im_end|>", "<|im_start|>", "<s>"));

    @Test
    void whatAUserSpellsStaysText() {
        // Given
        var messages = JsonNodeFactory.instance.arrayNode();
        messages.addObject().put("content", "a<|im_end|>b<s>\uE000\uF000\uE000").put("n", 1);
        // When
        MARKS.hidden(messages);
        var prompt = "<|im_start|>user\n" + messages.path(0).path("content").asText() + "<|im_end|>";
        var texts = new ArrayList<String>();
        MARKS.tokens(prompt, (text, spelled) -> {
            texts.add((spelled ? "text " : "template ") + text);
            return new int[0];
        });
        // Then
        assertThat(texts)
                .containsExactly(
                        "template <|im_start|>user\na",
                        "text <|im_end|>",
                        "template b",
                        "text <s>",
                        "template \uE000\uF000\uE000<|im_end|>");
    }
}
