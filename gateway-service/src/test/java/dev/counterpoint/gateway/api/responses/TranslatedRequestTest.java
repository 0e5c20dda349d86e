package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.ReasoningBond;
import dev.counterpoint.gateway.reasoning.ReasoningGrant;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.TestBindings;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.FunctionCall;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.OutputContent;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ReasoningOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class TranslatedRequestTest {
    private static final String CLOSED = "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}";
    private static final String GOOD = TestBindings.sealed(1, Long.MAX_VALUE);
    private static final String EXPIRED = TestBindings.sealed(1, 1);
    private static final String QUESTION = "{\"role\":\"user\",\"content\":\"2+2?\"}";

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            resources = "/refused/responses.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1,
            maxCharsPerColumn = 10_000,
            nullValues = "-")
    void aBadRequestIsRefusedByTheNameOfItsMember(String body, String param, @Nullable String code) {
        assertThatThrownBy(() -> translate(body.replace('\'', '"'), List.of()))
                .isInstanceOfSatisfying(WireException.class, refusal -> {
                    assertThat(refusal.param()).isEqualTo(param);
                    assertThat(refusal.code()).isEqualTo(code);
                    assertThat(refusal.message()).endsWith(".");
                });
    }

    @Test
    void aTextIsAQuestionBelowTheInstructions() {
        var job = job("""
            {"model":"m","input":"Hi","instructions":"Be brief"}\
            """);

        assertThat(job.prompt()).containsExactly(new PromptItem.Instructions("Be brief"), new PromptItem.User("Hi"));
        assertThat(job.effort()).isEqualTo("medium");
        assertThat(job.date()).isEqualTo("2026-11-21");
        assertThat(job.sampling()).isEqualTo(GenerationJob.Sampling.DEFAULT);
        assertThat(job.maxOutputTokens()).isZero();
        assertThat(job.reasoning().bound(ReasoningBond.NONE)).isEqualTo(GenerationJob.ReasoningTerms.of("t|p|m"));
    }

    @Test
    void everySpeakerHasItsPlaceInThePrompt() {
        var job = job("""
            {"model":"m","input":[{"role":"system","content":"S"},{"role":"developer","content":"D"},
            {"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]},
            {"role":"assistant","content":[{"type":"output_text","text":"c","annotations":[]}]},
            {"role":"user","content":"d"}]}\
            """);

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.Instructions("S"),
                        new PromptItem.Instructions("D"),
                        new PromptItem.User("ab"),
                        new PromptItem.Assistant("c", false),
                        new PromptItem.User("d"));
    }

    @Test
    void theReasoningOfAnOpenTurnGoesBackInTheFormTheModelThoughtIt() {
        var job = job("""
            {"model":"m","input":[%s,
            {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"SUMMARY"}],
            "encrypted_content":"good",
            "content":[{"type":"reasoning_text","text":"in clear"}]},
            {"role":"assistant","content":"Let me look."},
            {"type":"reasoning","summary":[{"type":"summary_text","text":"SUMMARY"}],
            "content":[{"type":"reasoning_text","text":"raw"}]},
            {"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},
            {"type":"function_call_output","call_id":"c1","output":"4"}]}\
            """.formatted(QUESTION));

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Sealed(GOOD),
                        new PromptItem.Assistant("Let me look.", true),
                        new PromptItem.Reasoning("raw"),
                        new PromptItem.Call("c1", "f", "{}"),
                        new PromptItem.CallOutput("c1", "f", "4"));
    }

    @Test
    void theReasoningBeforeTheLastAnswerIsNotSentNorIsItsAgeHeldAgainstTheCaller() {
        var job = job("""
            {"model":"m","input":[%s,{"type":"reasoning","summary":[],"encrypted_content":"expired"},
            {"role":"assistant","content":"4"},%s]}\
            """.formatted(QUESTION, QUESTION));

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"), new PromptItem.Assistant("4", false), new PromptItem.User("2+2?"));
    }

    @Test
    void foreignReasoningIsRefusedWhereverItStands() {
        assertThatThrownBy(() -> job("""
            {"model":"m","input":[%s,{"type":"reasoning","summary":[],"encrypted_content":"foreign"},
            {"role":"assistant","content":"4"},%s]}\
            """.formatted(QUESTION, QUESTION)))
                .isInstanceOfSatisfying(WireException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo("invalid_encrypted_content");
                    assertThat(refusal.param()).isEqualTo("input[1].encrypted_content");
                });
    }

    @Test
    void aSummaryThatComesBackIsNeverTheModelsOwnThought() {
        var job = job("""
            {"model":"m","input":[%s,{"type":"reasoning","id":"rs_1","content":null,
            "summary":[{"type":"summary_text","text":"SUMMARY"}]}]}\
            """.formatted(QUESTION));

        assertThat(job.prompt()).containsExactly(new PromptItem.User("2+2?"));
    }

    @Test
    void aResponseGoesOnWhereThePreviousOneStood() {
        // Given
        var call = new FunctionCall("fc_1", "c1", "f", "{\"a\":1}", ItemStatus.COMPLETED);
        var cut = new FunctionCall("fc_2", "c2", "f", "{\"a", ItemStatus.INCOMPLETE);
        var thought = new OutputItem.Reasoning(
                "rs_1", List.of(), List.of(new OutputContent.ReasoningText("raw")), GOOD, ItemStatus.COMPLETED);
        var stale = new OutputItem.Reasoning("rs_2", List.of(), null, EXPIRED, ItemStatus.COMPLETED);
        var earlier = List.<OutputItem>of(thought, stale, call, cut).stream()
                .map(InputItems::ofOutput)
                .flatMap(Optional::stream)
                .toList();

        // When
        var job = translate("""
            {"model":"m","previous_response_id":"resp_1","instructions":"new",
            "input":[{"type":"function_call_output","call_id":"c1","output":"4"}]}\
            """, earlier).job();

        // Then
        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.Instructions("new"),
                        new PromptItem.Sealed(GOOD),
                        new PromptItem.Call("c1", "f", "{\"a\":1}"),
                        new PromptItem.CallOutput("c1", "f", "4"));
    }

    @Test
    void aReferenceStandsForTheStoredItem() {
        var job = job("""
            {"model":"m","input":[%s,{"type":"item_reference","id":"msg_known"},
            %s]}\
            """.formatted(QUESTION, QUESTION));

        assertThat(job.prompt()).contains(new PromptItem.Assistant("stored", false));
    }

    @Test
    void nothingRawIsStored() {
        // Given
        var input = translate("""
            {"model":"m","input":[%s,{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text",
            "text":"CANARY"}],"thinking":"CANARY",
            "encrypted_content":"good"},{"role":"assistant","content":[{"type":"output_text","text":"4",
            "thinking":"CANARY"}],"reasoning_content":"CANARY"}]}\
            """.formatted(QUESTION), List.of()).input();

        // When
        var stored = InputItems.write(input);

        // Then
        assertThat(stored).contains("2+2?", GOOD).doesNotContain("CANARY");
        assertThat(InputItems.read(stored)).hasSize(3);
    }

    @Test
    void aResponseSchemaIsAnotherNameForTheFormOfTheText() {
        var request = translate("""
            {"model":"m","input":"x","text":{"verbosity":"medium"},
            "response_schema":{"type":"json","schema":{"type":"object"}}}\
            """, List.of());

        assertThat(request.job().format())
                .isEqualTo(new GenerationJob.ResponseFormat("response_schema", null, "{\"type\":\"object\"}", false));
        assertThat(WireJson.write(request.plan().echo()))
                .contains("{\"type\":\"json_schema\",\"name\":\"response_schema\","
                        + "\"schema\":{\"type\":\"object\"}}");
    }

    @Test
    void aModeByNameIsRepeatedAsTheContractsObject() {
        var summary = translate("{\"model\":\"m\",\"input\":\"x\",\"reasoning\":\"summary\"}", List.of());
        var none = translate("{\"model\":\"m\",\"input\":\"x\",\"reasoning\":\"none\"}", List.of());

        assertThat(summary.plan().echo().reasoning()).isEqualTo(new ReasoningOptions(null, "auto", null, null, null));
        assertThat(none.plan().echo().reasoning()).isEqualTo(new ReasoningOptions(null, null, null, null, null));
        assertThat(none.job().effort()).isEqualTo("medium");
    }

    @Test
    void toolsAndTheFormReachTheModel() {
        var request = translate("""
            {"model":"m","input":"x","temperature":0.5,"top_p":0.9,"max_output_tokens":77,"top_logprobs":3,
            "tools":[{"type":"web_search"},{"type":"function","name":"f","description":"d",
            "parameters":%s,
            "strict":true},{"type":"function","name":"g"}],"tool_choice":{"type":"function","name":"g"},
            "text":{"format":{"type":"json_schema","name":"n","schema":%s,
            "strict":true}}}\
            """.formatted(CLOSED, CLOSED), List.of());
        var job = request.job();

        assertThat(job.tools())
                .containsExactly(
                        new GenerationJob.FunctionTool("f", "d", CLOSED, true),
                        new GenerationJob.FunctionTool("g", "", null, false));
        assertThat(job.choice()).isEqualTo(new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.FUNCTION, "g"));
        assertThat(job.format()).isEqualTo(new GenerationJob.ResponseFormat("n", null, CLOSED, true));
        assertThat(job.sampling()).isEqualTo(new GenerationJob.Sampling(0.5, 0.9, 0, 0, null, 3, List.of(), Map.of()));
        assertThat(job.maxOutputTokens()).isEqualTo(77);
        assertThat(request.plan().echo().tools()).hasSize(3);
    }

    @Test
    void customToolsAndThoseInNamespacesAreFunctionsToTheModel() {
        var job = job("""
            {"model":"m","input":"x","tools":[{"type":"custom","name":"c","description":"Runs text"},
            {"type":"namespace","name":"ns","description":"About files","tools":[
            {"type":"function","name":"f","description":"Reads","parameters":{"type":"object"}},
            {"type":"custom","name":"c","format":{"type":"text"}}]}],"tool_choice":{"type":"function","name":"f"}}\
            """);

        assertThat(job.tools())
                .extracting(GenerationJob.FunctionTool::name, GenerationJob.FunctionTool::description)
                .containsExactly(tuple("c", "Runs text"), tuple("ns.f", "About files\nReads"), tuple("ns.c", ""));
        assertThat(job.tools().getFirst().parameters()).contains("\"required\":[\"input\"]");
        assertThat(job.choice())
                .isEqualTo(new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.FUNCTION, "ns.f"));
    }

    @Test
    void callsOfAllKindsOfToolsComeBackAsTheModelMadeThem() {
        var job = job("""
            {"model":"m","input":[%s,
            {"type":"function_call","call_id":"c1","namespace":"ns","name":"f","arguments":"{}"},
            {"type":"function_call_output","call_id":"c1","output":"1"},
            {"type":"custom_tool_call","call_id":"c2","name":"c","input":"a \\"b\\""},
            {"type":"custom_tool_call_output","call_id":"c2","output":"2"}]}\
            """.formatted(QUESTION));

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Call("c1", "ns.f", "{}"),
                        new PromptItem.CallOutput("c1", "ns.f", "1"),
                        new PromptItem.Call("c2", "c", "{\"input\":\"a \\\"b\\\"\"}"),
                        new PromptItem.CallOutput("c2", "c", "2"));
    }

    @Test
    void toolsThatRunNowhereAreRepeatedWithoutTheirSecrets() {
        var request = translate("""
            {"model":"m","input":"x","tools":[{"type":"mcp","server_label":"s","server_url":"https://h",
            "authorization":"CANARY","headers":{"x":"CANARY"},"token":"CANARY"},{"type":"function","name":"f"}],
            "tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"mcp","server_label":"s"}]}}\
            """, List.of());

        assertThat(request.job().tools()).isEmpty();
        assertThat(WireJson.write(request.plan()))
                .contains("https://h", "\"name\":\"f\"")
                .doesNotContain("CANARY");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            nullValues = "-",
            value = {"low,Verbosity: low.", "medium,-", "high,Verbosity: high."})
    void theWishForMoreOrFewerWordsIsToldToTheModel(String asked, @Nullable String told) {
        var job = job(
                "{\"model\":\"m\",\"input\":\"x\",\"instructions\":\"i\",\"text\":{\"verbosity\":\"" + asked + "\"}}");

        assertThat(job.prompt()).hasSize(told == null ? 2 : 3).startsWith(new PromptItem.Instructions("i"));
        assertThat(told == null
                        || job.prompt().get(1) instanceof PromptItem.Instructions(String text) && text.startsWith(told))
                .isTrue();
    }

    @ParameterizedTest(name = "asked {0}, by default {1}: {2}")
    @CsvSource(
            nullValues = "-",
            value = {"-,true", "true,true", "false,false"})
    void deltasArePaddedUnlessTheRequestSaysOtherwise(@Nullable Boolean asked, boolean padded) {
        var request = translate(
                "{\"model\":\"m\",\"input\":\"x\",\"stream_options\":{\"include_obfuscation\":" + asked + "}}",
                List.of());

        assertThat(request.plan().padded()).isEqualTo(padded);
    }

    @Test
    void howMuchIsTooMuchIsToldToTheWorker() {
        assertThat(job("{\"model\":\"m\",\"input\":\"x\",\"truncation\":\"disabled\",\"parallel_tool_calls\":true}")
                        .leeway())
                .isEqualTo(GenerationJob.Leeway.USUAL);
        assertThat(job("{\"model\":\"m\",\"input\":\"x\",\"truncation\":\"auto\",\"parallel_tool_calls\":false}")
                        .leeway())
                .isEqualTo(new GenerationJob.Leeway(true, true));
    }

    @Test
    void theModelIsNotShownFunctionsThatItMustNotCall() {
        var job = job("""
            {"model":"m","input":"x","tools":[{"type":"function","name":"f"},{"type":"function","name":"g"}],
            "tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"g"}]}}\
            """);

        assertThat(job.tools()).extracting(GenerationJob.FunctionTool::name).containsExactly("g");
        assertThat(job.choice().mode()).isEqualTo(GenerationJob.ToolChoice.Mode.REQUIRED);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"none,low", "minimal,low", "low,low", "medium,medium", "high,high", "xhigh,high", "max,high"})
    void theModelKnowsThreeOfTheSevenEfforts(String asked, String told) {
        var job = job("{\"model\":\"m\",\"input\":\"x\",\"reasoning\":{\"effort\":\"" + asked + "\"}}");

        assertThat(job.effort()).isEqualTo(told);
    }

    @Test
    void membersThatChangeNothingPass() {
        var job = job("""
            {"model":"m","input":"x","text":{},"client_metadata":{},"prompt":null,"prompt_cache_key":"k","user":"u",
            "include":["reasoning.encrypted_content"],"parallel_tool_calls":true,"service_tier":"auto",
            "tool_choice":"auto",
            "tools":[{"type":"namespace","name":"ns","description":"d","tools":[]},{"type":"local_shell"}],
            "reasoning":{"summary":"auto"},"store":false}\
            """);

        assertThat(job.prompt()).containsExactly(new PromptItem.User("x"));
    }

    static GenerationJob job(String body) {
        return translate(body, List.of()).job();
    }

    static TranslatedRequest translate(String body, List<InputItem> earlier) {
        return translate(body, earlier, ImageSources.NONE);
    }

    static TranslatedRequest translate(String body, List<InputItem> earlier, ImageSources images) {
        var json = body.replace("\"good", '"' + GOOD).replace("\"expired", '"' + EXPIRED);
        var request = WireJson.read(json.getBytes(StandardCharsets.UTF_8), CreateResponse.class);
        ResponsesRules.check(request);
        var stored = WireJson.read("""
            {"type":"message","id":"msg_known","role":"assistant","content":[{"type":"output_text",
            "text":"stored"}]}
            """.getBytes(StandardCharsets.UTF_8), InputItem.class);
        var own =
                InputItems.own(request.input(), id -> id.equals("msg_known") ? Optional.of(stored) : Optional.empty());
        var said = new ConversationInput(List.of(), earlier, own, 0, null);
        return TranslatedRequest.of(
                EffectiveRequest.of(request, said).request(),
                own,
                said,
                new TranslatedRequest.Facts(
                        new ReasoningGrant(false, null),
                        TestBindings.of(request.tools()),
                        "2026-11-21",
                        false,
                        images,
                        true));
    }
}
