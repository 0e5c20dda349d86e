package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tools whose input is plain text, at servers that know functions with arguments alone.
class PlainTextCallTest {
    private static final ChatTask TASK = new ChatTask(
            new GenerationJob(
                    List.of(
                            new PromptItem.User("x"),
                            new PromptItem.Call("c1", "dial", "\"112\""),
                            new PromptItem.CallOutput("c1", "dial", "ok"),
                            new PromptItem.Call("c2", "f", "{}"),
                            new PromptItem.CallOutput("c2", "f", "ok")),
                    List.of(
                            new FunctionTool(
                                    "dial",
                                    "Dials",
                                    "{\"type\":\"string\"}",
                                    false,
                                    new InputGrammar(InputGrammar.Syntax.REGEX, "[0-9]+"),
                                    false),
                            new FunctionTool("f", "", null, false)),
                    GenerationJob.ToolChoice.AUTO,
                    "low",
                    "",
                    null,
                    GenerationJob.Sampling.DEFAULT,
                    0,
                    GenerationJob.ReasoningTerms.of("c")),
            KnownModel.unknown(List.of(), ""),
            List.of());

    @Test
    void theServerIsToldOfAnArgumentForTheText() {
        var messages = UpstreamMessages.of(TASK);
        var body = new ChatRequestBody("m", TASK).of(messages, false, null);

        assertThat(body.at("/tools/0/function/parameters").toString())
                .isEqualTo("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"input\":"
                        + "{\"type\":\"string\",\"description\":\"It follows this regular expression:\\n[0-9]+\"}},"
                        + "\"required\":[\"input\"]}");
        assertThat(body.at("/messages/1/tool_calls/0/function/arguments").asText())
                .isEqualTo("{\"input\":\"\\\"112\\\"\"}");
        assertThat(body.at("/messages/3/tool_calls/0/function/arguments").asText())
                .isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{\"input\":\"1\\u0032\"}|12", "12|12", "{\"input\":3}|{\"input\":3}", "{\"in|{\"in"})
    void theTextComesBackAsItIs(String arguments, String text) throws ServerFailure {
        // Given
        var speech = new HarmonyWriter(new int[0]);
        var calls = new ToolCallWriter(new FunctionNames(List.of("dial", "f"), List.of("dial")), speech);
        // When
        calls.accept(new ChatEvent.CallDelta(0, "a", "dial", arguments.substring(0, 2)));
        calls.accept(new ChatEvent.CallDelta(0, "a", "", arguments.substring(2)));
        calls.accept(new ChatEvent.CallDelta(1, "b", "f", "{}"));
        calls.finish();
        speech.end();
        // Then
        assertThat(HarmonyTokenizer.shared().decode(speech.take()))
                .isEqualTo("<|channel|>commentary to=functions.dial <|message|>" + text + "<|end|>"
                        + "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}"
                        + "<|call|>");
    }
}
