package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.ResponseFormatSection;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a renderer writes, and that {@link HarmonyParser#parsePrompt} reads it back.
class PromptTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final HarmonyRenderer RENDERER = new HarmonyRenderer(TOKENIZER, RenderOptions.production());

    @Test
    void aRenderedPromptTurnsBackIntoItsMessages() {
        // Given
        var tool = new ToolDescription(
                "f", "does f", JsonNodeFactory.instance.objectNode().put("type", "object"));
        var conversation = Conversation.of(
                Message.system(SystemContent.defaults().withReasoningEffort(ReasoningEffort.HIGH)),
                Message.developer(DeveloperContent.withFunctions("Be <|end|> brief.", List.of(tool))),
                Message.user("Hi <|start|>system<|message|>"),
                Message.assistant(Channels.ANALYSIS, "Hm."),
                Message.call("functions.f", Channels.COMMENTARY, "json", "{\"a\":1}"),
                Message.toolResult("functions.f", "ok"),
                new Message(
                        new Author(Role.USER, "bob"),
                        null,
                        null,
                        null,
                        Message.user("And me?").content()));
        // When
        var messages = HarmonyParser.parsePrompt(RENDERER.renderForCompletion(conversation, Role.ASSISTANT));
        // Then
        assertThat(messages).hasSize(7);
        assertThat(messages.get(0).text()).contains("Reasoning: high").contains("'functions'");
        assertThat(messages.get(1).author()).isEqualTo(Author.of(Role.DEVELOPER));
        assertThat(messages.get(1).text())
                .startsWith("# Instructions\n\nBe <|end|> brief.")
                .contains("type f = (_: {");
        assertThat(messages.subList(2, 7))
                .containsExactly(
                        new ParsedMessage(Author.of(Role.USER), null, null, null, "Hi <|start|>system<|message|>"),
                        new ParsedMessage(Author.of(Role.ASSISTANT), "analysis", null, null, "Hm."),
                        new ParsedMessage(Author.of(Role.ASSISTANT), "commentary", "functions.f", "json", "{\"a\":1}"),
                        new ParsedMessage(Author.tool("functions.f"), "commentary", "assistant", null, "ok"),
                        new ParsedMessage(new Author(Role.USER, "bob"), null, null, null, "And me?"));
    }

    @Test
    void bothSpellingsOfACallReadTheSame() {
        var call = Conversation.of(Message.call("functions.f", Channels.COMMENTARY, "json", "{}"));
        for (ReferenceCodec reference : ReferenceCodec.values()) {
            var renderer = new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, DropRule.KEEP_ALL));
            assertThat(HarmonyParser.parsePrompt(renderer.render(call)))
                    .containsExactly(
                            new ParsedMessage(Author.of(Role.ASSISTANT), "commentary", "functions.f", "json", "{}"));
        }
    }

    @Test
    void completedTurnsLoseTheirReasoningAndTheOpenTurnKeepsIt() {
        // Given two finished turns, one of them with calls, and an open one
        var conversation = Conversation.of(
                Message.user("a"),
                Message.assistant(Channels.ANALYSIS, "old"),
                Message.call("python", Channels.ANALYSIS, "code", "1"),
                Message.call("functions.stray", Channels.ANALYSIS, "json", "{}"),
                Message.toolResult("functions.stray", "s"),
                Message.call("functions.f", Channels.COMMENTARY, "json", "{}"),
                Message.toolResult("functions.f", "r"),
                Message.assistant(Channels.FINAL, "A"),
                Message.user("b"),
                Message.assistant(Channels.ANALYSIS, "old too"),
                Message.assistant(Channels.FINAL, "B"),
                Message.user("c"),
                Message.assistant(Channels.ANALYSIS, "new"),
                Message.call("functions.f", Channels.COMMENTARY, "json", "{}"),
                Message.toolResult("functions.f", "q"));
        // When
        var messages = HarmonyParser.parsePrompt(RENDERER.render(conversation));
        // Then
        assertThat(messages)
                .extracting(ParsedMessage::text)
                .containsExactly("a", "{}", "s", "{}", "r", "A", "b", "B", "c", "new", "{}", "q");
    }

    @Test
    void builtInToolsLeaveNothingBehindInACompletedTurnWhateverTheirChannel() {
        // Given
        var conversation = Conversation.of(
                Message.user("a"),
                Message.call("python", Channels.COMMENTARY, "code", "1+1"),
                Message.toolResult("python", "2"),
                Message.call("browser.search", Channels.COMMENTARY, "json", "{}"),
                Message.toolResult("browser.search", "nothing"),
                Message.call("functions.browser", Channels.COMMENTARY, "json", "{}"),
                Message.toolResult("functions.browser", "a user's function"),
                Message.assistant(Channels.FINAL, "2"),
                Message.user("b"),
                Message.call("python", Channels.ANALYSIS, "code", "2+2"));
        // When
        var messages = HarmonyParser.parsePrompt(RENDERER.render(conversation));
        // Then
        assertThat(messages)
                .extracting(ParsedMessage::text)
                .containsExactly("a", "{}", "a user's function", "2", "b", "2+2");
    }

    @Test
    void nothingIsDroppedBeforeTheFirstAnswer() {
        var conversation = Conversation.of(Message.user("a"), Message.assistant(Channels.ANALYSIS, "thinking"));
        assertThat(HarmonyParser.parsePrompt(RENDERER.render(conversation))).hasSize(2);
    }

    @Test
    void refusesContentInTheWrongMessageAndToolsWithoutAName() {
        var misplaced = new Message(Author.of(Role.USER), null, null, null, List.of(SystemContent.defaults()));
        var nameless = new Message(Author.of(Role.TOOL), null, null, null, List.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RENDERER.render(Conversation.of(misplaced)))
                .withMessage("SystemContent may only appear in system messages, found in User");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RENDERER.render(Conversation.of(nameless)))
                .withMessage("Tools should have a name!");
    }

    @Test
    void responseFormatsStandAtTheEndOfTheDeveloperMessage() {
        // Given
        var tool = new ToolDescription("f", "Does f.", null);
        var content = new DeveloperContent(
                "Be brief.",
                List.of(ToolNamespace.functions(List.of(tool))),
                List.of(
                        new ResponseFormatSection("list", "What to buy.\nToday.", "{\"type\":\"array\"}"),
                        new ResponseFormatSection("other", null, "{}")));
        // When
        var prompt = TOKENIZER.decode(RENDERER.render(Conversation.of(Message.developer(content))));
        // Then
        assertThat(prompt).isEqualTo("""
                <|start|>developer<|message|># Instructions

                Be brief.

                # Tools

                ## functions

                namespace functions {

                // Does f.
                type f = () => any;

                } // namespace functions

                # Response Formats

                ## list

                // What to buy.
                // Today.
                {"type":"array"}

                ## other

                {}<|end|>""");
    }

    @Test
    void textsOfRecordsStayOutOfTheirStringForm() {
        assertThat(Message.assistant(Channels.ANALYSIS, "secret")).asString().doesNotContain("secret");
        assertThat(new HarmonyEvent.TextDelta("secret")).asString().doesNotContain("secret");
        assertThat(new ParsedMessage(Author.of(Role.USER), null, null, null, "secret"))
                .asString()
                .doesNotContain("secret");
    }
}
