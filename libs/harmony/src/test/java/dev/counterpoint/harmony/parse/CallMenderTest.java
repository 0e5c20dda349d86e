package dev.counterpoint.harmony.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.SpokenTokens;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Role;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallMenderTest {
    private static final String PARALLEL =
            "<|channel|>commentary to=multi_tool_use.parallel <|constrain|>json<|message|>";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>final to=user<|message|>Hello<|return|>",
                " to=user<|channel|>final<|message|>Hello<|return|>",
                "<|channel|>final to=nobody.else<|message|>Hello<|return|>"
            })
    void aFinalMessageToNoToolIsTheAnswer(String said) {
        assertThat(mended(said)).isEqualTo("final: Hello");
    }

    @ParameterizedTest
    @CsvSource({
        "<|channel|>final to=functions.f<|message|>{\"a\":1}<|call|>, final f: {\"a\":1}",
        "<|channel|>commentary to=user<|message|>Hello<|end|>, commentary user: Hello",
        // What the model makes up in another's name, or calls analysis anywhere, is no answer.
        "<|start|>functions.f to=user<|channel|>final<|message|>x<|end|>, analysis user: x",
        "<|channel|>final<|channel|>analysis to=user<|message|>x<|end|>, analysis user: x",
    })
    void anyOtherMessageIsAddressedAsTheModelSaid(String said, String expected) {
        assertThat(mended(said)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"`` | {}", "` \n ` | {}", "{} | {}", "` {\"a\": 1}` | ` {\"a\": 1}`"})
    void aCallWithoutArgumentsHasAnEmptyObject(String arguments, String expected) {
        assertThat(mended("<|channel|>commentary to=functions.f <|constrain|>json<|message|>" + arguments + "<|call|>"))
                .isEqualTo("commentary f: " + expected);
    }

    @Test
    void theTextForAFunctionThatTakesPlainTextStaysEmpty() {
        assertThat(mended("<|channel|>commentary to=functions.plain<|message|><|call|>"))
                .isEqualTo("commentary plain: ");
    }

    @Test
    void aParallelCallIsTheCallsInsideIt() {
        var said = PARALLEL + """
                {"tool_uses": [{"recipient_name": "functions.f", "parameters": {"a": "}]\\"{", "n": [{}], "x": 1.5}},
                {"recipient_name":"g","parameters":null},{"recipient_name":"h","parameters":"{\\"b\\":2}"}]}<|call|>""";

        assertThat(mended(said))
                .isEqualTo("commentary f: {\"a\":\"}]\\\"{\",\"n\":[{}],\"x\":1.5} | commentary g: {}"
                        + " | commentary h: {\"b\":2}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "{\"tool_uses\":[]}",
                "{\"tool_uses\":[{\"parameters\":{}}]}",
                "{\"tool_uses\":[{\"recipient_name\":\"functions.f\"",
                "]}}{{"
            })
    void aParallelCallWithoutAWholeCallIsACallThatNobodyDeclared(String text) {
        assertThat(mended(PARALLEL + text + "<|call|>")).startsWith("commentary multi_tool_use.parallel: ");
    }

    @Test
    void aCallThatBreaksOffInsideAParallelOneIsNamedBesideTheOthers() {
        var whole = "{\"tool_uses\":[{\"recipient_name\":\"f\",\"parameters\":{}},";

        assertThat(mended(PARALLEL + whole + "{\"recipient_name\":<|call|>"))
                .isEqualTo("commentary f: {} | commentary multi_tool_use.parallel: {\"recipient_name\":");
    }

    /// The messages as `channel recipient: text`.
    private static String mended(String said) {
        var told = new StringBuilder();
        var parser = new HarmonyParser(Role.ASSISTANT);
        var mender = new CallMender(new FunctionNames(List.of("f", "plain"), List.of("plain")), event -> {
            switch (event) {
                case HarmonyEvent.MessageStarted started -> {
                    told.append(told.isEmpty() ? "" : " | ").append(started.channel());
                    var recipient = started.recipient();
                    told.append(recipient == null ? "" : " " + recipient.replace("functions.", ""));
                    told.append(": ");
                }
                case HarmonyEvent.TextDelta(String text) -> told.append(text);
                case HarmonyEvent.MessageEnded _, HarmonyEvent.Repaired _ -> {}
            }
        });
        for (int token : SpokenTokens.of(said)) {
            parser.accept(token, mender);
        }
        parser.finish(mender);
        return told.toString();
    }
}
