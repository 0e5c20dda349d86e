package dev.counterpoint.openai.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.counterpoint.openai.models.ModelList;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class SseFrameTest {
    @Test
    void namesAnEventByItsTypeAndKeepsItsDataOnOneLine() {
        var event = new StreamEvent.Text.Delta(4, "msg_1", 0, 0, "a\nb\r\n", List.of(), null);

        var frame = new String(SseFrame.event(event.type(), event), UTF_8);

        assertThat(frame).isEqualTo("""
                        event: response.output_text.delta
                        data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1",\
                        "output_index":0,"content_index":0,"delta":"a\\nb\\r\\n","logprobs":[]}

                        """);
    }

    @Test
    void writesAChunkWithoutAnEventLine() {
        assertThat(new String(SseFrame.data(new ModelList(List.of())), UTF_8))
                .isEqualTo("data: {\"object\":\"list\",\"data\":[]}\n\n");
    }

    @Test
    void endsAStream() {
        assertThat(new String(SseFrame.done(), UTF_8)).isEqualTo("data: [DONE]\n\n");
    }

    @Test
    void keepsAConnectionOpenWithOneLine() {
        assertThat(new String(SseFrame.comment("keep-alive"), UTF_8)).isEqualTo(": keep-alive\n\n");
        assertThatIllegalArgumentException().isThrownBy(() -> SseFrame.comment("a\nevent: x"));
    }
}
