package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.http.ServerFailure;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventJsonTest {
    /// `vllm/entrypoints/openai/completion/serving.py` of 0.33.0: the first event with `return_token_ids`.
    @Test
    void thePromptThatVllmRepeatsIsSkippedAndAllElseIsThere() throws ServerFailure {
        var prompt = IntStream.range(0, 131_072).mapToObj(String::valueOf).collect(Collectors.joining(",", "[", "]"));
        var event = """
                {"id":"cmpl-1","choices":[{"index":0,"text":"","token_ids":[17,18],"prompt_token_ids":%s,
                "logprobs":{"top_logprobs":[],"x":{}},"finish_reason":null}],"usage":null}""".formatted(prompt);

        var read = EventJson.parse(event);

        assertThat(event.length()).isGreaterThan(800_000);
        assertThat(read.toString()).isEqualTo("""
                {"id":"cmpl-1","choices":[{"index":0,"text":"","token_ids":[17,18],\
                "logprobs":{"top_logprobs":[],"x":{}},"finish_reason":null}],"usage":null}""");
    }

    @Test
    void whatIsNoJsonIsToldWithoutItsText() throws ServerFailure {
        assertThat(EventJson.parse("").isMissingNode()).isTrue();
        assertThatThrownBy(() -> EventJson.parse("{\"choices\":[secret"))
                .isInstanceOf(ServerFailure.class)
                .hasMessageNotContaining("secret");
    }
}
