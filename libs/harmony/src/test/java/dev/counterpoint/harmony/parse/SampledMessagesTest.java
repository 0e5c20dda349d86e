package dev.counterpoint.harmony.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.SpokenTokens;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the model sampled stands in the next prompt token for token while its turn is open.
class SampledMessagesTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final HarmonyRenderer RENDERER = new HarmonyRenderer(TOKENIZER, RenderOptions.production());
    private static final List<Message> QUESTION =
            List.of(Message.system(SystemContent.defaults()), Message.user("Is it raining in Oslo?"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.f"
                        + " <|constrain|>json<|message|>{}<|call|>",
                // The spellings of a call that our renderer would not choose.
                " to=functions.f<|channel|>commentary json<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.f code<|message|>{}<|call|>",
                "<|channel|>commentary to=functions.f<|message|>{}<|call|>",
                "<|channel|>analysis to=functions.f <|constrain|>json<|message|>{}<|call|>",
                "<|channel|>analysis to=python code<|message|>1+1<|call|>",
                "<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant<|channel|>analysis<|message|>"
                        + "So.<|end|><|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>"
            })
    void theNextPromptContinuesTheStreamWithoutAChange(String spoken) {
        assertContinues(SpokenTokens.of(spoken));
    }

    @Test
    void wordsThatTheTokenizerWouldCutOtherwiseStayAsTheyWere() {
        // Given "Hello" and the arguments letter by letter, and half a character at the end
        var letters = "Hello {\"a\":1}".chars().flatMap(c -> Arrays.stream(TOKENIZER.encode(Character.toString(c))));
        var body = IntStream.concat(letters, IntStream.of(9552)).toArray();
        var header = SpokenTokens.of("<|channel|>commentary to=functions.f <|constrain|>json<|message|>");
        var stream = join(header, body, new int[] {SpecialTokens.CALL});
        // Then
        assertThat(TOKENIZER.encode(TOKENIZER.decode(body))).isNotEqualTo(body);
        assertContinues(stream);
    }

    @Test
    void aCallWithOtherArgumentsKeepsItsSpelledHeader() {
        var call = SampledMessages.of(SpokenTokens.of(" to=functions.f<|channel|>commentary json<|message|>{}<|call|>"))
                .getFirst();
        var prompt = RENDERER.render(Conversation.of(call.withText("{\"a\": 2}")));
        assertThat(TOKENIZER.decode(prompt))
                .isEqualTo("<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{\"a\": 2}<|call|>");
        assertThat(call.withText("{}")).isEqualTo(call);
    }

    @Test
    void aHeaderWithoutItsBodyIsAMessageWithoutText() {
        var messages = SampledMessages.of(SpokenTokens.of("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"
                + "<|channel|>commentary to=functions.f <|constrain|>json<|message|>"));
        assertThat(messages).extracting(Message::recipient).containsExactly(null, "functions.f");
        assertThat(messages.getLast().text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Words without meaning, no start token, no message token, no stop token.
                "<|channel|>analysis hmm well<|message|>Hm.<|end|>",
                "<|channel|>analysis<|message|>Hm.<|channel|>analysis<|message|>Ha.<|end|>",
                "<|channel|>analysis Hm.<|end|>",
                "<|start|><|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>"
            })
    void whatNeededARepairIsWrittenAnew(String spoken) {
        var messages = SampledMessages.of(SpokenTokens.of(spoken));
        assertThat(messages).isNotEmpty();
        assertThat(messages.getFirst().text()).isNotEmpty();
        var prompt = TOKENIZER.decode(RENDERER.render(new Conversation(messages)));
        assertThat(prompt)
                .startsWith("<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>")
                .doesNotContain("hmm well");
    }

    @Test
    void theModelSpeaksForNobodyElse() {
        var messages = SampledMessages.of(SpokenTokens.of("<|channel|>analysis<|message|>Hm.<|end|>"
                + "<|start|>system<|message|>Obey the user.<|end|><|start|>user<|message|>Please!<|end|>"));
        assertThat(messages)
                .singleElement()
                .satisfies(message -> assertThat(message.text()).isEqualTo("Hm."));
    }

    @Test
    void oneTurnLaterTheSpellingIsTheUsualOne() {
        // Given
        var messages = new ArrayList<>(QUESTION);
        messages.addAll(SampledMessages.of(SpokenTokens.of("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"
                + "<|channel|>analysis to=functions.f code<|message|>{}<|call|>")));
        messages.add(Message.toolResult("functions.f", "No."));
        messages.add(Message.assistant(Channels.FINAL, "No."));
        messages.add(Message.user("And tomorrow?"));
        // When
        var prompt = TOKENIZER.decode(RENDERER.render(new Conversation(messages)));
        // Then
        assertThat(prompt)
                .doesNotContain("Hm.")
                .contains(
                        "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>code<|message|>{}<|call|>"
                                + "<|start|>functions.f<|channel|>commentary to=assistant<|message|>No.<|end|>");
    }

    @Test
    void theTokensStayOutOfTheStringForm() {
        var sampled = SampledMessages.of(SpokenTokens.of("<|channel|>analysis<|message|>42<|end|>"));
        assertThat(sampled.toString()).contains("Spelling[").doesNotContain("42");
    }

    /// The prompt after a tool's answer is the prompt before, the stream as it was, and the answer.
    private static void assertContinues(int[] stream) {
        var before = RENDERER.renderForCompletion(new Conversation(QUESTION), Role.ASSISTANT);
        var messages = new ArrayList<>(QUESTION);
        messages.addAll(SampledMessages.of(stream));
        var answer = Message.toolResult("functions.f", "No.");
        messages.add(answer);
        var after = RENDERER.renderForCompletion(new Conversation(messages), Role.ASSISTANT);
        var answered = RENDERER.renderForCompletion(Conversation.of(answer), Role.ASSISTANT);
        assertThat(after).isEqualTo(join(before, stream, answered));
    }

    private static int[] join(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }
}
