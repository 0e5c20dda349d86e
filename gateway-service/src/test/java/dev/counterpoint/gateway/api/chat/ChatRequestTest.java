package dev.counterpoint.gateway.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.Illustrated.Part;
import dev.counterpoint.gateway.reasoning.ChatReasoning;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.PromptBuilder;
import dev.counterpoint.gateway.request.TestBindings;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class ChatRequestTest {
    private static final String GOOD = TestBindings.sealed(1, Long.MAX_VALUE);
    private static final String KEPT = TestBindings.sealed(2, Long.MAX_VALUE);
    private static final String TOOL_TURN = """
        {"model":"m","messages":[{"role":"user","content":"2+2?"},
        {"role":"assistant","content":"Let me see."%s,
         "tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},
                       {"id":"c2","type":"function","function":{"name":"g","arguments":"[]"}}]},
        {"role":"tool","tool_call_id":"c2","content":"5"},{"role":"tool","tool_call_id":"c1","content":"4"}]}\
        """;

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            resources = "/refused/chat.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1,
            maxCharsPerColumn = 10_000,
            nullValues = "-")
    void aBadRequestIsRefusedByTheNameOfItsMember(String body, String param, @Nullable String code) {
        assertThatThrownBy(() -> job(body.replace('\'', '"'), false))
                .isInstanceOfSatisfying(WireException.class, refusal -> {
                    assertThat(refusal.param()).isEqualTo(param);
                    assertThat(refusal.code()).isEqualTo(code);
                    assertThat(refusal.message()).endsWith(".");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            TOOL           | messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.
            CALL,USER,TOOL | The following tool_call_ids did not have response messages: c.
            CALL           | The following tool_call_ids did not have response messages: c.
            CALL,TOOL,TOOL | Duplicate value for 'tool_call_id' of 'c'.
            CALL,TOOL,CALL | Duplicate value for 'tool_calls[].id' of 'c'.
            """)
    void callsAndResultsThatDoNotMatchAreRefusedInOpenAisWords(String messages, String words) {
        var body = "{'model':'m','messages':[%s]}"
                .formatted(messages)
                .replace("USER", "{'role':'user','content':'x'}")
                .replace("TOOL", "{'role':'tool','tool_call_id':'c','content':'1'}")
                .replace(
                        "CALL",
                        "{'role':'assistant','tool_calls':[{'id':'c','type':'function','function':"
                                + "{'name':'f','arguments':'{}'}}]}");

        assertThatThrownBy(() -> job(body.replace('\'', '"'), false))
                .isInstanceOfSatisfying(
                        WireException.class,
                        refusal -> assertThat(refusal.message()).endsWith(words));
    }

    @Test
    void everySpeakerHasItsPlaceInThePrompt() {
        var job = job("""
            {"model":"m","messages":[{"role":"system","content":"S"},{"role":"developer","content":"D"},
            {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
            {"role":"assistant","content":"c","reasoning":"old"},{"role":"user","content":"JSON, please"}],
            "max_tokens":5,"max_completion_tokens":9,"seed":7,"stop":["x"],"logit_bias":{"17":-5},
            "presence_penalty":1,
            "frequency_penalty":-1,"logprobs":true,"response_format":{"type":"json_object"}}\
            """, true);

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.Instructions("S"),
                        new PromptItem.Instructions("D"),
                        new PromptItem.User("ab"),
                        new PromptItem.Assistant("c", false),
                        new PromptItem.User("JSON, please"));
        assertThat(job.sampling())
                .isEqualTo(new GenerationJob.Sampling(null, null, 1, -1, 7L, 0, List.of("x"), Map.of(17, -5.0)));
        assertThat(job.maxOutputTokens()).isEqualTo(9);
        assertThat(job.format()).isEqualTo(new GenerationJob.ResponseFormat("json_object", null, null, true));
    }

    @Test
    void aResponseSchemaIsAnotherNameForTheResponseFormat() {
        var job = job("""
            {"model":"m","messages":[{"role":"user","content":"x"}],
            "response_schema":{"type":"json","schema":{"type":"object"}}}\
            """, false);

        assertThat(job.format())
                .isEqualTo(new GenerationJob.ResponseFormat("response_schema", null, "{\"type\":\"object\"}", false));
    }

    @Test
    void aSecondNameForTheFormIsRefusedByBoth() {
        assertThatThrownBy(() -> job("""
            {"model":"m","messages":[{"role":"user","content":"x"}],"response_format":{"type":"json_object"},
            "response_schema":{"type":"json","schema":{}}}\
            """, false)).hasMessageContainingAll("'response_schema'", "'response_format'");
    }

    @ParameterizedTest(name = "raw key: {0}, message has {1}: {2}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "true  | ,'reasoning':'mine' | raw mine",
                "true  | ,'reasoning_content':'mine' | raw mine",
                "true  | ,'reasoning_details':[{'type':'reasoning.text','text':'mine'}] | raw mine",
                "true  | - | sealed kept",
                "true | ,'reasoning':'x','reasoning_details':[{'type':'reasoning.summary','summary':''}] | sealed kept",
                "true|,'reasoning':'','reasoning_details':[{'type':'reasoning.encrypted','data':'good'}] |sealed good",
                "false | ,'reasoning':'a summary' | sealed kept",
                "false | ,'reasoning_content':'a summary' | sealed kept",
                "false | - | sealed kept",
                "false | ,'reasoning_details':[{'type':'reasoning.encrypted','data':'good'}] | sealed good",
            })
    void theReasoningOfAToolTurnComesBack(boolean raw, @Nullable String member, String expected) {
        // Given
        var body = TOOL_TURN
                .formatted(member == null ? "" : member.replace('\'', '"'))
                .replace("good", GOOD);
        var text = expected.substring(expected.indexOf(' ') + 1)
                .replace("good", GOOD)
                .replace("kept", KEPT);

        // When
        var job = job(body, raw);

        // Then
        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        expected.startsWith("raw") ? new PromptItem.Reasoning(text) : new PromptItem.Sealed(text),
                        new PromptItem.Assistant("Let me see.", true),
                        new PromptItem.Call("c1", "f", "{}"),
                        new PromptItem.Call("c2", "g", "[]"),
                        new PromptItem.CallOutput("c2", "g", "5"),
                        new PromptItem.CallOutput("c1", "f", "4"));
    }

    @Test
    void customToolsAreFunctionsToTheModelAndTheirCallsComeBackAsTheModelMadeThem() {
        var job = job("""
            {"model":"m","messages":[{"role":"user","content":"x"},
            {"role":"assistant","tool_calls":[{"id":"c3","type":"custom","custom":{"name":"run","input":"1\\n2"}}]},
            {"role":"tool","tool_call_id":"c3","content":"ok"}],"n":2,
            "tools":[{"type":"custom","custom":{"name":"run","description":"Runs text"}},
            {"type":"function","function":{"name":"f"}}],
            "tool_choice":{"type":"custom","custom":{"name":"run"}}}\
            """, false);

        assertThat(job.tools()).extracting(GenerationJob.FunctionTool::name).containsExactly("run", "f");
        assertThat(job.tools().getFirst().parameters()).contains("\"required\":[\"input\"]");
        assertThat(job.choice()).isEqualTo(new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.FUNCTION, "run"));
        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.User("x"),
                        new PromptItem.Call("c3", "run", "{\"input\":\"1\\n2\"}"),
                        new PromptItem.CallOutput("c3", "run", "ok"));
    }

    @Test
    void aToolWithAGrammarTakesTextAsItIs() {
        var job = job("""
            {"model":"m","messages":[{"role":"user","content":"x"},
            {"role":"assistant","tool_calls":[{"id":"c3","type":"custom","custom":{"name":"patch","input":"1\\n2"}}]},
            {"role":"tool","tool_call_id":"c3","content":"ok"}],
            "tools":[{"type":"custom","custom":{"name":"patch","description":"Patches","format":{"type":"grammar",
            "grammar":{"syntax":"lark","definition":"start: /.+/"}}}}],
            "tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[
            {"type":"custom","custom":{"name":"patch"}}]}}}\
            """, false);

        assertThat(job.tools())
                .containsExactly(new GenerationJob.FunctionTool(
                        "patch",
                        "Patches",
                        "{\"type\":\"string\"}",
                        false,
                        new GenerationJob.InputGrammar(GenerationJob.InputGrammar.Syntax.LARK, "start: /.+/"),
                        false));
        assertThat(job.choice()).isEqualTo(new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.REQUIRED, null));
        assertThat(job.prompt()).contains(new PromptItem.Call("c3", "patch", "1\n2"));
    }

    private static final String ADDRESS = "https://example.org/a.png";
    private static final String IMAGES = """
            {"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"What is "},
            {"type":"image_url","image_url":{"url":"%s","detail":"low"}},{"type":"text","text":"?"}]}]}""";

    @Test
    void imagesGoToAModelThatTakesThem() {
        var job = job(IMAGES.formatted("data:image/png;base64,iVBORw0KGgo="), false, ImageSources.DATA);

        assertThat(job.prompt())
                .containsExactly(new PromptItem.Illustrated(List.of(
                        Part.text("What is "),
                        new Part("", "data:image/png;base64,iVBORw0KGgo=", "low"),
                        Part.text("?"))));
        assertThat(job.prompt().toString()).doesNotContain("What", "iVBOR");
        assertThat(job(IMAGES.formatted(ADDRESS), false, ImageSources.ADDRESSES).prompt())
                .hasSize(1);
    }

    @Test
    void partsOfTextAloneAreOneText() {
        var job = job("""
            {"model":"m","messages":[{"role":"user","content":[
            {"type":"text","text":"a"},{"type":"text","text":"b"}]}]}\
            """, false, ImageSources.DATA);

        assertThat(job.prompt()).containsExactly(new PromptItem.User("ab"));
    }

    @Test
    void aPartOfAnUnknownTypeIsToldTheTypesThatAreTaken() {
        assertThatThrownBy(() -> job("""
                        {"model":"m","messages":[{"role":"user","content":[{"type":"input_text","text":"a"}]}]}\
                        """, false)).isInstanceOfSatisfying(WireException.class, refused -> {
            assertThat(refused.param()).isEqualTo("messages[0].content[0]");
            assertThat(refused.code()).isEqualTo("invalid_value");
            assertThat(refused.message())
                    .endsWith(": 'input_text'. Supported values are: 'text', 'image_url', 'refusal'.");
        });
    }

    @Test
    void anImageThatIsNotTakenIsNamedAndNotTold() {
        var image = "data:image/png;base64,iVBORw0KGgo=";
        assertThatThrownBy(() -> job(IMAGES.formatted(image), false, ImageSources.NONE))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("messages[0].content[1]")
                .hasMessageContaining("The model reads text only.")
                .hasMessageNotContaining("iVBOR");
        for (var url : List.of(
                "http://10.0.0.1/a.png",
                "file:///etc/passwd",
                "data:text/html;base64,iVBO",
                "data:image/png;base64,",
                "https://",
                "data:image/svg+xml;base64,iVBO")) {
            assertThatThrownBy(() -> job(IMAGES.formatted(url), false, ImageSources.ADDRESSES))
                    .as(url)
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("messages[0].content[1]");
        }
        assertThatThrownBy(() -> job(IMAGES.formatted(ADDRESS), false, ImageSources.DATA))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("asks no address that a request names");
        var large = image + "A".repeat(PromptBuilder.IMAGE_CHARACTERS_MAX);
        assertThatThrownBy(() -> job(IMAGES.formatted(large), false, ImageSources.DATA))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("8388608 characters");
    }

    static GenerationJob job(String body, boolean raw) {
        return job(body, raw, ImageSources.NONE);
    }

    private static GenerationJob job(String body, boolean raw, ImageSources images) {
        var request = WireJson.read(body.getBytes(StandardCharsets.UTF_8), ChatRequest.class);
        ChatRules.check(request);
        ChatRules.checkChoices(request, 16, false);
        assertThat(ChatRules.choices(request)).isBetween(1, 16);
        var reasoning = ChatReasoning.of(request);
        var prompt = new PromptBuilder(PromptBuilder.Api.CHAT, Set.of("patch"), images);
        new ChatMessages(raw, ids -> ids.contains("c1") ? List.of(KEPT, "stale") : List.of())
                .add(request.messages(), prompt);
        var terms = GenerationJob.ReasoningTerms.of("t|p|m");
        var facts = new ChatJob.Facts(reasoning.effort(), "2026-11-21", terms, ModelOptions.NONE);
        return ChatJob.of(
                request, prompt.build(TestBindings.of(request.tools())).items(), facts);
    }
}
