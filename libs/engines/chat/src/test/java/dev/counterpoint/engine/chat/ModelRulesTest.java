package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.probe.KnownFamily;
import dev.counterpoint.engine.chat.probe.OperatorSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The knowledge of an engine about its model, by servers of each kind.
@Timeout(60)
class ModelRulesTest extends WithModelServer {
    @Test
    void ollamaSeparatesReasoningOfAModelThatThinksAndTakesItsOwnSwitch() {
        server.ollama("qwen3:8b", "qwen3", "{{ if .Think }}");

        var known = known("qwen3:8b");

        assertThat(known.text())
                .isEqualTo("Ollama 0.12.3, qwen3:8b, family qwen3 (by its name);"
                        + " reasoning stands between <think> and </think>; its server separates reasoning;"
                        + " requests can turn thinking off; its server enforces schemas");
        assertThat(known.separatesReasoning()).isTrue();
        assertThat(known.switches()).isTrue();
        assertThat(known.control().off().members()).hasToString("{\"reasoning_effort\":\"none\"}");
        assertThat(known.takesSchemas()).isTrue();
        assertThat(known.rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(server.requests()).as("requests to the model").isEmpty();
    }

    @Test
    void textOfAModelThatNobodyKnowsIsWithheldUnlessItsServerSeparatesReasoning() {
        server.hosted(NOT_THERE);
        var unknown = known(NOT_THERE);
        var ollama = new FakeModelServer();
        open.add(ollama);
        ollama.ollama(NOT_THERE, "unheard-of", "");
        var separated = await(engine(NOT_THERE, QUICK, List.of(), ollama));

        assertThat(unknown.rule().unmarked()).isEqualTo(Unmarked.UNKNOWN);
        assertThat(unknown.family()).isNull();
        assertThat(unknown.takesSchemas()).isFalse();
        assertThat(unknown.text())
                .isEqualTo("a server of Chat Completions, mystery:7b, of no known family; it is not known how it shows"
                        + " reasoning (of no known family): text without reasoning marks is withheld");
        assertThat(separated.rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
    }

    /// The family decides what text without marks means.
    @ParameterizedTest
    @CsvSource({
        "qwen3:8b, ANSWER_WHEN_WHOLE",
        "qwq:32b, REASONING",
        "llama3.2:3b, ANSWER_WHEN_WHOLE",
        // either the template or the model opens reasoning
        "deepseek-r1:8b, UNKNOWN",
        // a plain family whose source was not read
        "glm4:9b, UNKNOWN",
        "gpt-oss:20b, UNKNOWN",
        "llama-3.1-8b-reasoning, UNKNOWN",
    })
    void theFamilyDecidesWhatTextWithoutMarksIs(String model, Unmarked expected) {
        server.hosted(model);

        var known = known(model);

        assertThat(known.rule().unmarked()).isEqualTo(expected);
        assertThat(known.rule().harmony()).isEqualTo(model.startsWith("gpt-oss"));
        assertThat(known.switches()).as("a server that may refuse the switch").isFalse();
    }

    @Test
    void aSwitchIsSentWhereTheServerTakesItAndTheAnswerIsFoundWithout() {
        server.vllm("mine", "Qwen/Qwen3-8B");
        assertThat(known("mine").switches()).isTrue();
        server.vllm("mine", "Qwen/Qwen3.5-397B-A17B");
        assertThat(known("mine").switches()).as("its template opens reasoning").isFalse();
    }

    @Test
    void theTemplateSaysTheFamilyAndWhoOpens() {
        server.llamaServer("some-model", FakeModelServer.QWEN3_JINJA);
        var model = known("some-model");
        server.llamaServer("some-model", FakeModelServer.QWQ_JINJA);
        var template = known("some-model");

        assertThat(model.text())
                .startsWith("llama-server b6710-74b8fc17, some-model, family qwen3 (by its template);"
                        + " reasoning stands between <think> and </think>");
        assertThat(model.rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(template.rule().unmarked()).isEqualTo(Unmarked.REASONING);
        assertThat(template.text()).contains("its template opens reasoning, which goes up to </think>");
    }

    @Test
    void serversOfOtherKindsAreKnownToo() {
        server.studio("qwen/qwen3-8b", "qwen3");
        assertThat(known("qwen/qwen3-8b").text()).startsWith("LM Studio, qwen/qwen3-8b, family qwen3 (by its name)");

        var sglang = new FakeModelServer();
        var mlx = new FakeModelServer();
        open.addAll(List.of(sglang, mlx));
        sglang.page("GET /v1/models", "{'data':[{'id':'r1','owned_by':'sglang','root':'r1'}]}")
                .page(
                        "GET /get_server_info",
                        "{'version':'0.5.3','model_path':'deepseek-ai/DeepSeek-R1','reasoning_parser':null}");
        mlx.mlx("mlx-community/Llama-3.2-3B-Instruct-4bit");
        var parsing = await(engine("r1", QUICK, List.of(), sglang));
        assertThat(parsing.text()).startsWith("SGLang 0.5.3, r1, family deepseek-r1 (by its name at the server)");
        assertThat(parsing.separatesReasoning()).isFalse();
        sglang.page("GET /get_server_info", "{'version':'0.5.3','reasoning_parser':'deepseek-r1'}");
        assertThat(await(engine("r1", QUICK, List.of(), sglang)).separatesReasoning())
                .isTrue();
        assertThat(await(engine("mlx-community/Llama-3.2-3B-Instruct-4bit", QUICK, List.of(), mlx))
                        .text())
                .startsWith("mlx_lm, mlx-community/Llama-3.2-3B-Instruct-4bit, family llama (by its name);"
                        + " its family shows no reasoning in its text");
    }

    /// Ollama 0.12.3 `types/model/capability.go`; llama.cpp b6710 `tools/server/server.cpp` (`modalities`); LM Studio's
    /// `1_developer/2_rest/endpoints.mdx` (`vlm`).
    @Test
    void serversSayWhetherTheModelTakesImagesOrTheOperatorDoes() {
        server.ollama("m", "qwen3", "").page("POST /api/show", "{'capabilities':['completion','vision']}");
        assertThat(sees(OperatorSettings.NONE)).isTrue();
        server.page("POST /api/show", "{'capabilities':['completion']}");
        assertThat(sees(OperatorSettings.NONE)).isFalse();
        server.page("GET /api/version", "{}").llamaServer("m", "");
        assertThat(sees(OperatorSettings.NONE)).isFalse();
        server.page("GET /props", "{'default_generation_settings':{},'modalities':{'vision':true,'audio':false}}");
        assertThat(sees(OperatorSettings.NONE)).isTrue();
        server.studio("m", "qwen2_vl")
                .page("GET /api/v0/models", "{'data':[{'id':'m','type':'vlm','arch':'qwen2_vl'}]}");
        assertThat(sees(OperatorSettings.NONE)).isTrue();
        server.page("GET /api/v0/models", "{}").vllm("m", "Qwen/Qwen3-8B");
        assertThat(sees(OperatorSettings.NONE)).isFalse();
        assertThat(sees(saying(true))).isTrue();
        server.page("POST /api/show", "{'capabilities':['completion','vision']}")
                .ollama("m", "qwen3", "");
        assertThat(sees(saying(false))).isFalse();
    }

    private static OperatorSettings saying(boolean images) {
        var takes = new OperatorSettings.Takes(Optional.empty(), false, Optional.empty(), Optional.of(images));
        return new OperatorSettings(null, List.of(), takes);
    }

    private boolean sees(OperatorSettings settings) {
        var engine = engine("m", quick(settings), List.of(), server);
        boolean sees = await(engine).seesImages();
        assertThat(engine.describe().can(Ability.IMAGES)).isEqualTo(sees);
        engine.close();
        return sees;
    }

    @Test
    void whatAServerSaysOfItselfIsBoundedAndPlain() {
        server.hosted(NOT_THERE).page("GET /version", "{'version':'1.0\\u001b[31m<script>" + "x".repeat(500) + "'}");

        assertThat(known(NOT_THERE).text()).startsWith("vLLM 1.0[31mscriptxxx").hasSizeLessThan(400);
    }

    @Test
    void aModelThatTheServerDoesNotListIsNamed() {
        server.ollama("qwen3:8b", "qwen3", "");

        assertThat(known("qwen3:14b").text())
                .startsWith("Ollama 0.12.3, qwen3:14b, which is not in its list of models");
    }

    @Test
    void theOperatorsSettingsComeFirst() {
        server.hosted(NOT_THERE);
        var none = await(engine(NOT_THERE, QUICK, List.of(ReasoningStrategy.NONE), server));
        assertThat(none.rule().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(none.text()).contains("unmarked text is the answer, as worker.chat.reasoning=none says");

        var qwen = FamilyTable.shared().named("qwen3").orElseThrow();
        var marks = List.of(new MarkPair("<mull>", "</mull>"));
        var takes = new OperatorSettings.Takes(Optional.of(true), false, Optional.empty(), Optional.empty());
        var settings = new OperatorSettings(new KnownFamily(qwen, "as worker.chat.family says"), marks, takes);
        var marked = known(NOT_THERE, quick(settings));
        assertThat(marked.rule().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(marked.rule().reasoning())
                .startsWith(new MarkPair("<mull>", "</mull>"), new MarkPair("<think>", "</think>"));
        assertThat(marked.takesSchemas()).isTrue();
        assertThat(marked.text()).contains("family qwen3 (as worker.chat.family says)", "<mull>");
    }
}
