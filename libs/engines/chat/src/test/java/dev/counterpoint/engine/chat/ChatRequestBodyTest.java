package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.Leeway;
import dev.counterpoint.bus.job.GenerationJob.ReasoningTerms;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.Sampling;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.Illustrated.Part;
import dev.counterpoint.bus.wire.BusProto.GenerationJob.Options;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.split.ModelPart;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a server gets: what the caller said, in the form of the model's family.
@DisplayName("what the upstream gets")
class ChatRequestBodyTest {
    private static final FunctionTool WEATHER = new FunctionTool("weather", "", "{\"type\":\"object\"}", false);
    private static final ResponseFormat FORM = new ResponseFormat("form", null, "{\"type\":\"object\"}", true);

    private static ModelOptions options(Options.Builder options) {
        return ModelOptions.of(options.build());
    }

    @Test
    void isNothingThatTheCallerDidNotSay() {
        assertThat(members(body(model("qwen3"), job(List.of(WEATHER)))))
                .containsExactlyInAnyOrder("model", "stream", "messages", "tools", "tool_choice");
    }

    @Test
    void isAllThatTheCallerSaid() {
        var sampling = new Sampling(1.0, 0.5, 0.1, 0.2, 7L, null, List.of("x"), Map.of());
        var options = options(Options.newBuilder()
                .setParallelCallsPlusOne(2)
                .setTopK(-1)
                .setMinP(0.05)
                .setRepetitionPenalty(1.1)
                .setTemplateArguments("{\"documents\":[]}"));

        var body = body(model("qwen3"), job(List.of(WEATHER)).with(sampling).with(options));

        assertThat(without(body, "model", "stream", "messages", "tools", "tool_choice"))
                .isEqualTo(json("{'temperature':1.0,'top_p':0.5,'presence_penalty':0.1,'frequency_penalty':0.2,"
                        + "'seed':7,'parallel_tool_calls':true,'top_k':-1,'min_p':0.05,'repetition_penalty':1.1,"
                        + "'chat_template_kwargs':{'documents':[]}}"));
    }

    @ParameterizedTest(name = "said {0}, one call {1}, tools {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "true,false,true,true",
                "false,true,true,false",
                "-,true,true,false",
                "-,false,true,-",
                "true,false,false,-"
            })
    void parallelCallsAreSpokenOfWhereThereAreTools(
            @Nullable Boolean said, boolean one, boolean tools, @Nullable Boolean expected) {
        var job = job(tools ? List.of(WEATHER) : List.of())
                .with(options(Options.newBuilder().setParallelCallsPlusOne(said == null ? 0 : said ? 2 : 1)))
                .with(new Leeway(one, false));

        var body = body(model("qwen3"), job);

        assertThat(body.has("parallel_tool_calls")).isEqualTo(expected != null);
        assertThat(body.path("parallel_tool_calls").asBoolean()).isEqualTo(Boolean.TRUE.equals(expected));
    }

    @ParameterizedTest(name = "family {0}, effort {1}, said {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "gpt-oss,medium,true,medium",
                "gpt-oss,high,true,high",
                "gpt-oss,medium,false,-",
                // of an older gateway
                "gpt-oss,high,false,high",
                "qwen3,high,true,-",
            })
    void anEffortIsSentToFamiliesThatTakeOne(String family, String effort, boolean said, @Nullable String expected) {
        var job = job(List.of(), effort).with(options(Options.newBuilder().setEffortSaid(said ? 1 : 0)));

        assertThat(body(model(family), job).path("reasoning_effort").asText(null))
                .isEqualTo(expected);
        assertThat(body(model(family), job.with(ReasoningTerms.of("c").withTokensMax(0)))
                        .has("reasoning_effort"))
                .isFalse();
    }

    @Test
    void thinkingIsSwitchedOffWhereThatWorksAndInTheFamilysForm() {
        var none = job(List.of()).with(ReasoningTerms.of("c").withTokensMax(0));

        var proven = body(known("smollm3", true, false), none);
        var unproven = body(known("smollm3", false, false), none);

        assertThat(proven.path("chat_template_kwargs")).isEqualTo(json("{'enable_thinking':false}"));
        assertThat(proven.at("/messages/0/content").asText()).endsWith("/no_think");
        assertThat(unproven.toString()).doesNotContain("think");
    }

    @Test
    void theCallersArgumentsStandBesideTheSwitchAndCannotTurnIt() {
        var options = options(Options.newBuilder()
                .setTemplateArguments("{'thinking':true,'enable_thinking':true,'x':1}".replace('\'', '"')));
        var none = job(List.of()).with(options).with(ReasoningTerms.of("c").withTokensMax(0));

        assertThat(body(known("qwen3", true, false), none).path("chat_template_kwargs"))
                .isEqualTo(json("{'x':1,'enable_thinking':false}"));
        assertThat(body(known("qwen3", false, false), none).path("chat_template_kwargs"))
                .isEqualTo(json("{'x':1}"));
    }

    @Test
    @DisplayName("nothing is shown at once that the caller's template arguments may have changed")
    void argumentsOfTheTemplateHoldTheText() {
        var options = options(Options.newBuilder().setTemplateArguments("{\"mode\":\"deep\"}"));
        var plain = model("qwen2.5");

        var usual = ChatTask.of(job(List.of()), plain, List.of());
        var other = ChatTask.of(job(List.of()).with(options), plain, List.of());

        assertThat(usual.rule().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(other.rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        var said = new ArrayList<ModelPart>();
        other.extraction(false, said::add).accept("Hm");
        other.extraction(true, said::add).accept("Hm");
        assertThat(said).isEmpty();
    }

    @ParameterizedTest(name = "schemas {0}, beside tools {1}, tools {2}")
    @CsvSource(
            nullValues = "none",
            value = {
                "true,false,none,true",
                "false,false,none,false",
                "true,false,AUTO,false",
                "true,true,AUTO,true",
                "true,true,REQUIRED,false",
                "true,false,NONE,true",
                "false,true,AUTO,false",
            })
    void aSchemaGoesToServersThatTakeIt(
            boolean schemas, boolean beside, ToolChoice.@Nullable Mode tools, boolean expected) {
        var known = taking(schemas, beside);
        var job = new GenerationJob(
                List.of(new PromptItem.User("x")),
                tools == null ? List.of() : List.of(WEATHER),
                tools == null ? ToolChoice.AUTO : new ToolChoice(tools, null),
                "medium",
                "",
                FORM,
                Sampling.DEFAULT,
                0,
                ReasoningTerms.of("c"));

        var body = new ChatRequestBody("m", ChatTask.of(job, known, List.of(ReasoningStrategy.ENVELOPE)));
        var sent = body.of(UpstreamMessages.of(body.wanted()), false, null);

        assertThat(sent.at("/response_format/json_schema/name").asText("-")).isEqualTo(expected ? "form" : "-");
        assertThat(sent.at("/messages/0/content").asText().contains("\"reasoning\""))
                .isEqualTo(!expected);
        assertThat(sent.at("/messages/0/content").asText()).contains("matches this schema");
    }

    @Test
    void aSchemaOfTheClientsIsNeverLostToAnEnvelope() {
        var task =
                ChatTask.of(job(List.of(), "medium", FORM), taking(true, false), List.of(ReasoningStrategy.ENVELOPE));
        var said = new ArrayList<ModelPart>();
        var extraction = task.extraction(false, said::add);

        extraction.accept("{\"name\": \"Ada\", \"age\": 36}");
        extraction.finish(true);

        assertThat(task.asked()).isEmpty();
        assertThat(said).containsExactly(new TextPiece(TextPiece.Kind.ANSWER, "{\"name\": \"Ada\", \"age\": 36}"));
    }

    @Test
    void callIdsHaveNineLettersWhereTheTemplateWantsThem() {
        var prompt = List.<PromptItem>of(
                new PromptItem.User("x"),
                new PromptItem.Call("call_0123456789abcdef01234567", "weather", "{}"),
                new PromptItem.Call("call_b", "weather", "{}"),
                new PromptItem.CallOutput("call_b", "weather", "rain"),
                new PromptItem.CallOutput("call_0123456789abcdef01234567", "weather", "sun"));

        var mistral = messages(model("mistral"), prompt);
        var qwen = messages(model("qwen3"), prompt);

        var first = mistral.at("/1/tool_calls/0/id").asText();
        var second = mistral.at("/1/tool_calls/1/id").asText();
        assertThat(List.of(first, second))
                .allMatch(id -> id.matches("[a-z0-9]{9}"))
                .doesNotHaveDuplicates();
        assertThat(mistral.at("/2/tool_call_id").asText()).isEqualTo(first);
        assertThat(mistral.at("/2/content").asText()).isEqualTo("sun");
        assertThat(mistral.at("/3/tool_call_id").asText()).isEqualTo(second);
        assertThat(messages(model("mistral"), prompt)).isEqualTo(mistral);
        assertThat(qwen.at("/1/tool_calls/0/id").asText()).isEqualTo("call_0123456789abcdef01234567");
    }

    @Test
    void aReportOfReasoningHasAnIdThatEveryTemplateTakes() {
        var messages = UpstreamMessages.reported("{}");

        assertThat(messages.getFirst().at("/tool_calls/0/id").asText()).matches("[a-z]{9}");
        assertThat(messages.getLast().path("tool_call_id"))
                .isEqualTo(messages.getFirst().at("/tool_calls/0/id"));
    }

    @Test
    void resultsAreInTheOrderOfTheirCallsAndALateOneFollowsItsCallAgain() {
        var messages = messages(
                model("qwen3"),
                List.of(
                        new PromptItem.User("x"),
                        new PromptItem.Call("a", "f", "{}"),
                        new PromptItem.Call("b", "f", "{}"),
                        new PromptItem.CallOutput("b", "f", "b1"),
                        new PromptItem.CallOutput("a", "f", "a1"),
                        new PromptItem.Call("b", "f", "{}"),
                        new PromptItem.Call("a", "f", "{}"),
                        new PromptItem.CallOutput("a", "f", "a2"),
                        new PromptItem.CallOutput("b", "f", "b2"),
                        new PromptItem.CallOutput("a", "f", "late")));

        assertThat(told(messages)).isEqualTo("user x, call a b, a=a1, b=b1, call b a, b=b2, a=a2, call a, a=late");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "magistral | false | {'content':'[THINK]\\nhm\\n[/THINK]\\n\\nLook:'}",
                "qwen3 | false | {'content':'<think>\\nhm\\n</think>\\n\\nLook:'}",
                "qwen3 | true | {'content':'Look:','reasoning_content':'hm'}",
                "gpt-oss | true | {'content':'Look:','reasoning_content':'hm'}",
                "qwen2.5 | false | {'content':'<<REASONING>>\\nhm\\n<</REASONING>>\\n\\nLook:'}",
            })
    void reasoningGoesBackInTheFamilysMarksOrAsTheServerTellsIt(String family, boolean tells, String expected) {
        var messages = messages(
                known(family, false, tells),
                List.of(
                        new PromptItem.User("x"),
                        new PromptItem.Reasoning("hm"),
                        new PromptItem.Assistant("Look:", true),
                        new PromptItem.Call("a", "f", "{}"),
                        new PromptItem.CallOutput("a", "f", "a1")));

        assertThat(without(messages.get(1), "role", "tool_calls")).isEqualTo(json(expected));
        assertThat(messages).hasSize(3);
    }

    @Test
    void imagesGoAlongInTheirPlacesAndCountNoTokens() {
        var shown = new PromptItem.Illustrated(List.of(
                Part.text("What is "),
                new Part("", "data:image/png;base64,iVBORw0KGgo=", "low"),
                new Part("", "https://example.org/cat.jpg", ""),
                Part.text("?")));
        // When
        var messages = messages(model("qwen3"), List.of(new PromptItem.User("Look."), shown));
        // Then
        assertThat(messages.get(0)).isEqualTo(json("{'role':'user','content':'Look.'}"));
        assertThat(messages.get(1)).isEqualTo(json("""
                {'role':'user','content':[{'type':'text','text':'What is '},
                {'type':'image_url','image_url':{'url':'data:image/png;base64,iVBORw0KGgo=','detail':'low'}},
                {'type':'image_url','image_url':{'url':'https://example.org/cat.jpg'}},
                {'type':'text','text':'?'}]}"""));
        var tokenizer = HarmonyTokenizer.shared();
        assertThat(UpstreamMessages.tokens(messages))
                .isEqualTo(tokenizer.countTokens("Look.")
                        + tokenizer.countTokens("What is ")
                        + tokenizer.countTokens("?"));
    }

    @Test
    void tokensAreThoseOfAllTexts() {
        var messages = messages(model("qwen3"), List.of(new PromptItem.User("one two three")));

        assertThat(UpstreamMessages.tokens(messages)).isEqualTo(3);
    }

    private static GenerationJob job(List<FunctionTool> tools) {
        return job(tools, "medium");
    }

    private static GenerationJob job(List<FunctionTool> tools, String effort) {
        return job(tools, effort, null);
    }

    private static GenerationJob job(List<FunctionTool> tools, String effort, @Nullable ResponseFormat format) {
        return new GenerationJob(
                List.of(new PromptItem.User("x")),
                tools,
                ToolChoice.AUTO,
                effort,
                "",
                format,
                Sampling.DEFAULT,
                0,
                ReasoningTerms.of("c"));
    }

    private static KnownModel model(String family) {
        return known(family, false, false);
    }

    private static KnownModel taking(boolean schemas, boolean beside) {
        var rule = rule(Unmarked.UNKNOWN);
        return new KnownModel(null, rule, ThinkingSwitch.NONE, false, false, schemas, beside, false, "");
    }

    private static KnownModel known(String name, boolean switches, boolean tells) {
        var family = FamilyTable.shared().named(name).orElseThrow();
        var rule = rule(family.form() == ModelFamily.Form.PLAIN ? Unmarked.ANSWER : Unmarked.ANSWER_WHEN_WHOLE);
        return new KnownModel(family, rule, family.thinking(), switches, tells, false, false, false, "");
    }

    private static TextRule rule(Unmarked unmarked) {
        return new TextRule(unmarked, FamilyTable.shared().everyMarks(), List.of(), false, "");
    }

    private static ObjectNode body(KnownModel known, GenerationJob job) {
        var task = ChatTask.of(job, known, List.of());
        return new ChatRequestBody("m", task).of(UpstreamMessages.of(task), false, null);
    }

    private static JsonNode messages(KnownModel known, List<PromptItem> prompt) {
        var thinks = known.rule().unmarked() == Unmarked.ANSWER;
        var told = thinks ? List.of(ReasoningStrategy.MARKERS) : List.of(ReasoningStrategy.THINK);
        return UpstreamMessages.of(ChatTask.of(job(List.of()).with(prompt), known, told), List.of());
    }

    private static String told(JsonNode messages) {
        var told = new StringBuilder();
        for (var message : messages) {
            told.append(told.isEmpty() ? "" : ", ");
            if (message.has("tool_calls")) {
                told.append("call");
                message.path("tool_calls")
                        .forEach(call -> told.append(' ').append(call.path("id").asText()));
            } else if (message.has("tool_call_id")) {
                told.append(message.path("tool_call_id").asText()).append('=');
                told.append(message.path("content").asText());
            } else {
                told.append(message.path("role").asText()).append(' ');
                told.append(message.path("content").asText());
            }
        }
        return told.toString();
    }

    private static List<String> members(JsonNode body) {
        return body.properties().stream().map(Map.Entry::getKey).toList();
    }

    private static JsonNode without(JsonNode body, String... members) {
        return json(body.<ObjectNode>deepCopy().remove(List.of(members)).toString());
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
