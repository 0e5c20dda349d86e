package dev.counterpoint.harmony;

import static dev.counterpoint.harmony.Outcome.cutOff;
import static dev.counterpoint.harmony.Outcome.model;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repair;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The ways in which servers of gpt-oss are known to fail, most frequent and harmful first, each with tokens as models
/// wrote them and the threads that report it. Streams begin after `<|start|>assistant`. A user sees `final`, and
/// `commentary` without a recipient.
class FailureModesTest {
    private static final String THOUGHT = "<|channel|>analysis<|message|>t<|end|>";
    private static final String THOUGHT_READ = "assistant analysis: t END";
    private static final String ANSWER = "<|start|>assistant<|channel|>final<|message|>4<|return|>";
    private static final String ANSWER_READ = "assistant final: 4 RETURN";

    /// openai/harmony#38, openai/harmony#114, vllm#23567, vllm#51977, vllm#52055, vllm#57099,
    /// ovh/public-cloud-roadmap#993: the reference throws, the request fails with 500.
    @Test
    void leftoverWordsInAHeaderFailNoRequest() {
        model("––commentary<|message|>I will look.<|end|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .shows("I will look.")
                .reads("assistant commentary: I will look. END");
        model(" to=functions.web-browsing<|channel|>commentary to=functions.web-browsing <|constrain|>json"
                        + "<|message|>{\"q\":1}<|call|>")
                .repaired(Repair.HEADER_WORDS_IGNORED)
                .reads("assistant commentary to=functions.web-browsing (json): {\"q\":1} CALL");
        model("<|channel|>commentary to=functions.bash <|constrain|>commentary<|message|>{}<|call|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .reads("assistant commentary to=functions.bash: {} CALL");
        model("<|channel|>final oh well so<|message|>4<|return|>")
                .repaired(Repair.HEADER_WORDS_IGNORED)
                .reads(ANSWER_READ);
    }

    /// openai/harmony#60, vllm#22515, vllm#22519, vllm#46464, vllm#50690: "Unexpected token 12606 while expecting start
    /// token 200006"; one redundant token costs a whole answer.
    @Test
    void aTokenOtherThanStartAfterAFinishedMessageCostsNothing() {
        var call = "<|channel|>commentary to=functions.f<|message|>{}<|call|>";
        // 12606 815 are "commentary"; then the next call goes on as if <|start|> and <|channel|> were there.
        model(call, new int[] {12606, 815}, " to=functions.g json<|message|>[]<|call|>")
                .repaired(Repair.START_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .reads(
                        "assistant commentary to=functions.f: {} CALL",
                        "assistant commentary to=functions.g (json): [] CALL");
        model("<|channel|>final<|message|>Answer<|end|><|return|>")
                .repaired(Repair.CONTROL_TOKEN_IGNORED)
                .shows("Answer")
                .reads("assistant final: Answer END");
        for (String stray : List.of("<|end|>", "<|return|>", "<|constrain|>")) {
            model(THOUGHT, stray, ANSWER).repaired(Repair.CONTROL_TOKEN_IGNORED).reads(THOUGHT_READ, ANSWER_READ);
        }
        model(THOUGHT + "<|channel|>final<|message|>4<|return|>")
                .repaired(Repair.START_TOKEN_MISSING)
                .reads(THOUGHT_READ, ANSWER_READ);
        // 13 is ".", 200002 <|return|>
        model("<|channel|>final<|message|>4<|end|>", new int[] {13, 200002})
                .repaired(Repair.TEXT_BETWEEN_MESSAGES)
                .shows("4")
                .reads("assistant final: 4 END");
    }

    /// openai/harmony#80, openai/harmony#82, vllm#28303, vllm#45736, vllm#47062, ai-dynamo/frontend-crates#237,
    /// llama.cpp#25321: the text stays in the header, the answer is empty.
    @Test
    void aMissingMessageTokenLosesNoTextAndShowsNoReasoning() {
        // Given what gpt-oss-120b sampled, its reasoning without any header (openai/harmony#80)
        int[] thinking = {
            2161, 976, 1825, 382, 57246, 15543, 316, 2338, 261, 4232, 13790, 350, 72, 2560, 4213, 187928, 11, 23802,
            8110, 741, 1328, 382, 829, 32510, 3100, 25, 15543, 97471, 198937, 13, 20953, 41897, 13, 16344, 316, 7562,
            11, 581, 2804, 41897, 13
        };
        int[] rest = SpokenTokens.of("<|end|><|start|>assistant<|channel|>analysis<|message|>We must refuse.<|end|>"
                + "<|start|>assistant<|channel|>final<|message|>I’m sorry, but I can’t help with that.<|return|>");
        var refusal = model(thinking, rest);
        refusal.repaired(Repair.MESSAGE_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .shows("I’m sorry, but I can’t help with that.");
        assertThat(refusal.read().messages)
                .extracting(ParsedMessage::channel)
                .containsExactly(Channels.ANALYSIS, Channels.ANALYSIS, Channels.FINAL);
        assertThat(refusal.read().messages.getFirst().text())
                .isEqualTo(HarmonyTokenizer.shared().decode(thinking).strip());
        // And when the limit of tokens cuts the same stream, its reasoning is not taken for an answer.
        cutOff(thinking)
                .repaired(Repair.MESSAGE_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .shows("");

        model("I'm sorry, but I can't help with that.<|return|>")
                .repaired(Repair.MESSAGE_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .shows("I'm sorry, but I can't help with that.")
                .reads("assistant final: I'm sorry, but I can't help with that. RETURN");
        model("{\"ok\":true}")
                .repaired(Repair.MESSAGE_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .shows("{\"ok\":true}")
                .reads("assistant final: {\"ok\":true} END_OF_STREAM");
        model(THOUGHT + "<|start|>assistant<|channel|>final Paris.<|return|>")
                .repaired(Repair.MESSAGE_TOKEN_MISSING)
                .shows("Paris.")
                .reads(THOUGHT_READ, "assistant final: Paris. RETURN");
        model(THOUGHT + "Paris.<|return|>")
                .repaired(Repair.MESSAGE_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .shows("Paris.")
                .reads(THOUGHT_READ, "assistant final: Paris. RETURN");
    }

    /// ollama#11704, ollama#12132, vllm#32587, vllm#32633, vllm#35906, openai/harmony#114, mlx-lm#875: tools are called
    /// by names that nobody declared, and the agent loops.
    @Test
    void controlTokensNeverGetIntoARecipient() {
        model(" to=functions.create_event<|channel|>analysis json<|message|>{}<|call|>")
                .reads("assistant analysis to=functions.create_event (json): {} CALL");
        model("<|channel|>commentary to=functions.query_dataset<|channel|>commentary<|message|>{}<|call|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .reads("assistant commentary to=functions.query_dataset: {} CALL");
        model(THOUGHT + "<|start|>assistant<|channel|>analysis<|channel|>commentary to=functions.bash code"
                        + "<|message|>{}<|call|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .reads(THOUGHT_READ, "assistant analysis to=functions.bash (code): {} CALL");
        model("<|channel|>bash<|channel|>commentary to=functions.bash<|message|>{}<|call|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .reads("assistant commentary to=functions.bash: {} CALL");
        // Spelled with the tokens of ordinary text, as models do that learnt it from a prompt.
        var spelled = HarmonyTokenizer.shared().encode("commentary to=functions.bash<|channel|>commentary");
        model("<|channel|>", spelled, "<|message|>{}<|call|>")
                .repaired(Repair.HEADER_WORDS_IGNORED)
                .reads("assistant commentary to=functions.bash: {} CALL");
    }

    /// vllm#27653, vllm#35902, vllm#35907, vllm#45048, openai/codex#2461, llama.cpp#15181: without its reasoning the
    /// model calls the same tool again; with that of earlier turns it digresses.
    @Test
    void reasoningLivesAsLongAsItsTurn() {
        var conversation = Conversation.of(
                Message.user("a"),
                Message.assistant(Channels.ANALYSIS, "earlier thought"),
                Message.assistant(Channels.FINAL, "earlier answer"),
                Message.user("b"),
                Message.assistant(Channels.ANALYSIS, "open thought"),
                Message.call("functions.f", Channels.COMMENTARY, "json", "{}"),
                Message.toolResult("functions.f", "42"));
        assertThat(prompt(conversation))
                .extracting(ParsedMessage::text)
                .containsExactly("a", "earlier answer", "b", "open thought", "{}", "42");
    }

    /// vllm#28139, vllm#35902, llama.cpp#15181, omlx#2143, omlx#2216, vllm-mlx#562: calls elsewhere than on commentary
    /// are shown as text, or stall the agent.
    @Test
    void theRecipientMakesACallWhateverTheChannelAndWhereverItStands() {
        model(THOUGHT + "<|start|>assistant<|channel|>analysis to=functions.ffgrep code<|message|>{}<|call|>")
                .shows("")
                .reads(THOUGHT_READ, "assistant analysis to=functions.ffgrep (code): {} CALL");
        model("<|channel|>final to=functions.f<|message|>{}<|call|>")
                .shows("")
                .reads("assistant final to=functions.f: {} CALL");
        model(" to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}<|call|>")
                .reads("assistant commentary to=functions.f (json): {} CALL");
        model("<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>")
                .reads("assistant commentary to=functions.f (json): {} CALL");
        model("<|channel|>commentaryto=functions.f<|message|>{}<|call|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .reads("assistant commentary to=functions.f: {} CALL");
    }

    /// sglang#10738, sglang#9043, Rapid-MLX#480, mlxcel#654, imp#1716, cloudflare/ai#574, dynamo#15155: who looks for
    /// markup in decoded text shows it. The start without a vocabulary is in VocabularyAvailabilityTest.
    @Test
    void markupNeverShowsBecauseItIsKnownById() {
        var spoken = THOUGHT
                + "<|start|>assistant<|channel|>commentary<|message|>I will look.<|end|>"
                + "<|start|>assistant<|channel|>final<|message|>4<|return|>";
        model(spoken).shows("I will look.|4");
        assertThat(model(spoken).read().events.stream()
                        .filter(TextDelta.class::isInstance)
                        .map(delta -> ((TextDelta) delta).text()))
                .noneMatch(text -> text.contains("<|") || text.contains("assistant") || text.contains("analysis"));
    }

    /// openai/harmony#60, vllm#23120, lmstudio#1555: the reference reads a structured answer as a call of
    /// `<|constrain|>json`.
    @Test
    void theWordOfAConstraintIsNoRecipient() {
        model("<|channel|>final <|constrain|>json<|message|>{\"a\":1}<|return|>")
                .shows("{\"a\":1}")
                .reads("assistant final (json): {\"a\":1} RETURN");
        model("<|channel|>final <|constrain|>response<|message|>{\"a\":1}<|return|>")
                .shows("{\"a\":1}")
                .reads("assistant final (response): {\"a\":1} RETURN");
        // Reasoning where the constraint belongs (openai/harmony#114, tiles#145) is neither a type nor arguments.
        model("<|channel|>commentary to=functions.bash <|constrain|>We list the files.<|message|>{}<|call|>")
                .repaired(Repair.HEADER_WORDS_IGNORED)
                .reads("assistant commentary to=functions.bash: {} CALL");
        model("<|channel|>commentary to=functions.write <|constrain|>write: edit file with content.<|end|>"
                        + "<|start|>assistant<|channel|>commentary to=functions.write<|message|>{}<|call|>")
                .repaired(Repair.MESSAGE_TOKEN_MISSING, Repair.CHANNEL_GUESSED)
                .shows("")
                .reads(
                        "assistant analysis: write: edit file with content. END",
                        "assistant commentary to=functions.write: {} CALL");
    }

    /// llama.cpp#27720 (1 to 4 % of turns of gpt-oss-20b at temperature 1), openai/harmony#48, vllm#43408,
    /// lmstudio#931.
    @Test
    void aMalformedChannelIsTheOneItResemblesOrElseReasoning() {
        model("<|channel|>fina<|message|>4<|return|>")
                .repaired(Repair.CHANNEL_GUESSED)
                .reads(ANSWER_READ);
        model("<|channel|>commentary?<|message|>I will look.<|end|>" + ANSWER)
                .repaired(Repair.CHANNEL_GUESSED)
                .shows("I will look.|4")
                .reads("assistant commentary: I will look. END", ANSWER_READ);
        for (String unknown : List.of("??", "", " ", ">", "We need to think", "finally", "Commercially")) {
            model("<|channel|>" + unknown + "<|message|>hm<|end|>" + ANSWER).shows("4");
        }
        for (String cut : List.of("We need to think", "??", "finally, we answer", "comment on it", "Finally: done")) {
            model("<|channel|>" + cut + "<|end|>" + ANSWER).shows("4");
        }
        // What is left of a header says nothing in words, and is not shown.
        for (String rubble : List.of("commentary 2?", "commentary?commentary?", "commentary?", "commentary ...")) {
            model("<|channel|>" + rubble + "<|end|><|start|>assistant" + THOUGHT + ANSWER)
                    .reads(THOUGHT_READ, ANSWER_READ);
        }
        // To itself: neither a call nor for the user.
        model("<|channel|>commentary to=assistant<|channel|>commentary?<|message|>hm<|end|>" + ANSWER)
                .repaired(Repair.CHANNEL_GUESSED)
                .reads("assistant commentary to=assistant: hm END", ANSWER_READ);
        // Two channels that contradict each other: what may be reasoning is not shown.
        model("<|channel|>final<|channel|>analysis<|message|>hm<|end|>" + ANSWER)
                .repaired(Repair.CHANNEL_GUESSED)
                .reads("assistant analysis: hm END", ANSWER_READ);
    }

    /// ollama#11704, ollama#11781, ollama#11991, ollama#12064, ollama#12187, ollama#12884, ollama#17638, lmstudio#942:
    /// servers parse the arguments and fail with 500.
    @Test
    void argumentsThatAreNoJsonPassAsTheyAre() {
        for (String arguments : List.of("{\"a\":1}]", "print('hi')", "{\"a\":\"a\"b\"}", "{\"a\":", "", "\n", "null")) {
            model("<|channel|>commentary to=functions.f json<|message|>" + arguments + "<|call|>")
                    .reads("assistant commentary to=functions.f (json): " + arguments + " CALL");
        }
    }

    /// llama.cpp#18675 (a limit of 1 or 2 tokens), openai/harmony#33.
    @Test
    void aStreamCutInItsHeaderIsEmptyAndNoError() {
        var header = SpokenTokens.of("<|channel|>commentary to=functions.get_weather <|constrain|>json");
        for (int length = 0; length <= header.length; length++) {
            cutOff(Arrays.copyOf(header, length)).shows("").reads();
            model(Arrays.copyOf(header, length)).shows("").reads();
        }
        cutOff(header).repaired(Repair.HEADER_CUT).shows("").reads();
        cutOff("<|channel|>final<|message|>").shows("").reads("assistant final:  END_OF_STREAM");
    }

    /// mlx-openai-server#156, ai-dynamo/frontend-crates#237: the call without `<|call|>` never comes out.
    @Test
    void theEndOfTheStreamFlushesTheOpenCall() {
        model("<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\":1}")
                .reads("assistant commentary to=functions.f (json): {\"a\":1} END_OF_STREAM");
        model("<|channel|>commentary to=functions.f json{\"a\":1}")
                .repaired(Repair.MESSAGE_TOKEN_MISSING)
                .reads("assistant commentary to=functions.f (json): {\"a\":1} END_OF_STREAM");
        model("<|channel|>commentary to=functions.f<|message|>{\"a\":1}<|endoftext|>")
                .reads("assistant commentary to=functions.f: {\"a\":1} END_OF_STREAM");
    }

    /// llama.cpp#15102, llama.cpp#15158: a reader that does not know the declared tools can only report what it read.
    @Test
    void aContentTypeGluedToAFunctionsNameIsReportedWithIt() {
        model("<|channel|>commentary to=functions.shelljson<|message|>{}<|call|>")
                .reads("assistant commentary to=functions.shelljson: {} CALL");
    }

    /// llama.cpp#21213, ollama#11991: which tool is meant is for him to say who knows the declared ones.
    @Test
    void wrongNamespacesAndUndeclaredToolsAreReportedAsWritten() {
        for (String name : List.of("f", "functions.browser.search", "python", "container.exec", "browser.open")) {
            model("<|channel|>analysis to=" + name + " code<|message|>{}<|call|>")
                    .shows("")
                    .reads("assistant analysis to=" + name + " (code): {} CALL");
        }
    }

    /// exo#1126, vllm#43408, tenstorrent/vllm#386, openai/harmony#114 (`Unknown role: final`): the reference throws.
    @Test
    void aDoubledOrMissingRoleIsTheAssistants() {
        model(THOUGHT + "<|start|>" + ANSWER).repaired(Repair.ROLE_GUESSED).reads(THOUGHT_READ, ANSWER_READ);
        model(ANSWER).repaired(Repair.ROLE_GUESSED).reads(ANSWER_READ);
        model("assistant<|channel|>final<|message|>4<|return|>")
                .repaired(Repair.ROLE_GUESSED)
                .reads(ANSWER_READ);
        for (String role : List.of("assistantassistant", "assistant assistant", "", "final", "Assistant")) {
            model(THOUGHT + "<|start|>" + role + "<|channel|>final<|message|>4<|return|>")
                    .reads(THOUGHT_READ, ANSWER_READ);
        }
        for (String role : List.of("final", "assistantfinal", "assistant final", "assistantassistantfinal")) {
            model(THOUGHT + "<|start|>" + role + "<|message|>4<|return|>").reads(THOUGHT_READ, ANSWER_READ);
            model(THOUGHT + role + "<|message|>4<|return|>").shows("4").reads(THOUGHT_READ, ANSWER_READ);
        }
    }

    /// openai/harmony#72: the reference takes `<|start|>` and `<|channel|>` in a body for text, and shows the reasoning
    /// that follows.
    @Test
    void aMessageThatWasNotClosedEndsWhereTheNextOneBegins() {
        model("<|channel|>final<|message|>4<|start|>assistant<|channel|>analysis<|message|>t<|end|>")
                .repaired(Repair.STOP_TOKEN_MISSING)
                .shows("4")
                .reads("assistant final: 4 IMPLICIT", THOUGHT_READ);
        model("<|channel|>final<|message|>4<|channel|>analysis<|message|>t<|end|>")
                .repaired(Repair.STOP_TOKEN_MISSING, Repair.START_TOKEN_MISSING)
                .shows("4")
                .reads("assistant final: 4 IMPLICIT", THOUGHT_READ);
        // The same words as text change nothing.
        var words = "4<|end|><|start|>assistant<|channel|>analysis<|message|>t<|return|>";
        model("<|channel|>final<|message|>", HarmonyTokenizer.shared().encode(words), new int[] {SpecialTokens.RETURN})
                .shows(words)
                .reads("assistant final: " + words + " RETURN");
    }

    /// vllm (harmony_utils), imp#768: shown as reasoning, or not at all.
    @Test
    void aPreambleOnCommentaryIsForTheUser() {
        model(THOUGHT + "<|start|>assistant<|channel|>commentary<|message|>I will look.<|end|>"
                        + "<|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>")
                .shows("I will look.")
                .reads(
                        THOUGHT_READ,
                        "assistant commentary: I will look. END",
                        "assistant commentary to=functions.f: {} CALL");
    }

    /// openai/harmony#83, imp#768: half an emoji per token.
    @Test
    void splitCharactersComeOutWholeAndBrokenOnesAsOneReplacementEach() {
        // 31446 244 are the halves of 💖; 9552 is a blank and the first half of another emoji.
        int[] body = {31446, 244, 9552, 64, 9552, -1, 31446};
        var read = model("<|channel|>final<|message|>", body, "<|return|>");
        read.repaired(Repair.UNKNOWN_TOKEN).shows("💖 \uFFFDa \uFFFD\uFFFD\uFFFD");
        assertThat(read.read().events).contains(new TextDelta("💖"));
    }

    /// tenstorrent/vllm#386: what was shown cannot be taken back, so an error after it is a second answer.
    @Test
    void whatWasSaidStaysSaidWhateverFollows() {
        var tokens = SpokenTokens.of(THOUGHT
                + "<|start|>assistant<|channel|>final<|message|>Half an<|constrain|><|message|> answer<|start|>nonsense"
                + "<|channel|>??<|end|><|call|>junk<|channel|>commentary to=<|message|>{<|reserved_200014|>");
        var whole = model(tokens).read().events;
        for (int length = 0; length < tokens.length; length++) {
            var soFar = new Recording();
            var parser = Outcome.parser();
            Arrays.stream(tokens, 0, length).forEach(token -> parser.accept(token, soFar));
            assertThat(whole.subList(0, soFar.events.size())).isEqualTo(soFar.events);
        }
        assertThat(model(tokens).read().shown()).startsWith("Half an answer");
    }

    /// lmstudio#1555, vllm#35904: a grammar over the whole stream forbids the control tokens.
    @Test
    void onlyBodiesAreToBeConstrained() {
        var spoken = THOUGHT + "<|start|>assistant<|channel|>final <|constrain|>json<|message|>{}<|return|>";
        var parser = Outcome.parser();
        var constrained = IntStream.builder();
        for (int token : SpokenTokens.of(spoken)) {
            if (parser.insideMessage()) {
                constrained.add(token);
            }
            parser.accept(token, _ -> {});
        }
        assertThat(constrained.build().toArray()).isEqualTo(SpokenTokens.of("t<|end|>{}<|return|>"));
    }

    private static List<ParsedMessage> prompt(Conversation conversation) {
        var renderer = new HarmonyRenderer(HarmonyTokenizer.shared(), RenderOptions.production());
        return HarmonyParser.parsePrompt(renderer.renderForCompletion(conversation, Role.ASSISTANT));
    }
}
