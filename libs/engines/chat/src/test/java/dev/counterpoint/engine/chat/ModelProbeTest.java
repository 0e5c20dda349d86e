package dev.counterpoint.engine.chat;

import static dev.counterpoint.engine.chat.FakeModelServer.prompt;
import static dev.counterpoint.engine.chat.FakeModelServer.right;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.chat.ChatOptions.Knowing;
import dev.counterpoint.engine.chat.FakeModelServer.Reply;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import dev.counterpoint.engine.chat.probe.KnownFamily;
import dev.counterpoint.engine.chat.probe.OperatorWord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an engine knows of its model, by servers of each kind.
@Timeout(60)
class ModelProbeTest extends WithModelServer {
    @Test
    void aServerThatTellsReasoningMakesContentTheAnswerAndASwitchThatWorksIsProven() {
        server.ollama("qwen3:8b", "qwen3", "{{ if .Think }}")
                .model(request -> request.path("reasoning_effort").asText().equals("none")
                        ? Reply.content(right(request))
                        : Reply.reasoned("The user wants it.", right(request)));

        var known = known("qwen3:8b");

        assertThat(known.text())
                .isEqualTo("Ollama 0.12.3, qwen3:8b, family qwen3 (by its name); reasoning is told by the server"
                        + " (tried); thinking can be turned off (tried); schemas are enforced by its server (tried)");
        assertThat(known.tellsReasoning()).isTrue();
        assertThat(known.switches()).isTrue();
        assertThat(known.control().off().members()).hasToString("{\"reasoning_effort\":\"none\"}");
        assertThat(server.requests()).hasSize(5).noneMatch(request -> request.has("chat_template_kwargs"));
        assertThat(known.takesSchemas()).isTrue();
        assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(known.quiet().unmarked()).isEqualTo(Unmarked.ANSWER);
    }

    @Test
    void theTrialIsAFewShortRequestsOfAUser() {
        server.hosted(NOT_THERE);

        known(NOT_THERE);

        assertThat(server.requests()).hasSize(3).allSatisfy(request -> {
            assertThat(request.path("max_tokens").asInt()).isEqualTo(400);
            assertThat(request.path("temperature").asInt(1)).isZero();
            assertThat(request.path("messages")).hasSize(1);
            assertThat(request.path("messages").path(0).path("role").asText()).isEqualTo("user");
        });
        assertThat(server.requests())
                .filteredOn(request -> prompt(request).contains("BLUE"))
                .hasSize(2);
    }

    @Test
    void aModelOfNoKnownFamilyThatAnswersExactlyShowsNoReasoning() {
        server.hosted(NOT_THERE);

        var known = known(NOT_THERE);

        assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(known.family()).isNull();
        assertThat(known.text())
                .startsWith("a server of Chat Completions, mystery:7b, of no known family;"
                        + " it shows no reasoning in its text (tried)");
    }

    @Test
    void whatIsNotUnderstoodIsWithheldAndNothingOfItIsTold() {
        for (var odd : List.<Function<String, Reply>>of(
                right -> Reply.content("Okay, so the user wants a word. " + right),
                right -> Reply.content(""),
                right -> Reply.content("The user says reply with").cut(),
                right -> Reply.MISTAKE,
                right -> Reply.content(right).cut())) {
            server.hosted(NOT_THERE).model(always(odd));

            var known = known(NOT_THERE);

            assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
            assertThat(known.quiet().unmarked()).isEqualTo(Unmarked.UNKNOWN);
            assertThat(known.text())
                    .contains("what no mark tells apart is withheld")
                    .doesNotContain("user", "BLUE");
        }
    }

    @Test
    void oneLuckyAnswerProvesNothing() {
        server.hosted(NOT_THERE)
                .model(request -> prompt(request).contains("BLUE")
                        ? Reply.content("BLUE")
                        : Reply.content("Seventeen and 25, that is 42"));

        assertThat(known(NOT_THERE).thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
    }

    @Test
    void bothMarksSayThatTheModelOpensAndOneThatTheTemplateDoes() {
        server.hosted(NOT_THERE).model(always(right -> Reply.content("<think>R</think>\n\n" + right)));
        var both = known(NOT_THERE);
        server.model(always(right -> Reply.content("R\n</think>\n\n" + right)));
        var closing = known(NOT_THERE);
        server.model(always(right -> Reply.content("[THINK]R[/THINK]" + right)));
        var others = known(NOT_THERE);

        assertThat(both.thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(both.text()).contains("reasoning stands between <think> and </think> (tried)");
        assertThat(closing.thinking().unmarked()).isEqualTo(Unmarked.REASONING);
        assertThat(closing.text()).contains("its template opens reasoning, which goes up to </think> (tried)");
        assertThat(others.thinking().reasoning().getFirst()).isEqualTo(new MarkPair("[THINK]", "[/THINK]"));
    }

    @Test
    void reasoningThatIsCutOffStillSaysWhoOpensIt() {
        server.hosted(NOT_THERE)
                .model(always(_ -> Reply.content("<think>R and R").cut()));
        assertThat(known(NOT_THERE).thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);

        server.model(always(_ -> Reply.reasoned("R and R", "").cut()));
        assertThat(known(NOT_THERE).tellsReasoning()).isTrue();
    }

    @Test
    void harmonyAsTextIsSeen() {
        for (var text : List.of("<|channel|>analysis<|message|>R<|end|>", "analysisThe user says itassistantfinal")) {
            server.hosted(NOT_THERE).model(always(right -> Reply.content(text + right)));

            var known = known(NOT_THERE);

            assertThat(known.thinking().harmony()).isTrue();
            assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
        }
    }

    @Test
    void aSwitchThatDoesNothingOrIsRefusedIsNotSent() {
        server.vllm("mine", "Qwen/Qwen3-8B").model(always(right -> Reply.content("<think>R</think>" + right)));
        var deaf = known("mine");
        server.model(request ->
                request.has("chat_template_kwargs") ? Reply.MISTAKE : Reply.content("R</think>" + right(request)));
        var refusing = known("mine");

        assertThat(deaf.switches()).isFalse();
        assertThat(deaf.text())
                .startsWith("vLLM 0.11.0, mine, family qwen3 (by its name at the server);"
                        + " reasoning stands between <think> and </think> (tried);"
                        + " thinking cannot be turned off (tried)");
        assertThat(refusing.switches()).isFalse();
        assertThat(refusing.thinking().unmarked()).isEqualTo(Unmarked.REASONING);
        assertThat(refusing.quiet().unmarked()).isEqualTo(Unmarked.REASONING);
    }

    @Test
    void anEmptyPairOfMarksIsNoReasoning() {
        server.vllm("mine", "Qwen/Qwen3-8B")
                .model(request -> Reply.content(
                        (thinks(request) ? "<think>R</think>" : "<think>\n\n</think>\n\n") + right(request)));

        var known = known("mine");

        assertThat(known.switches()).isTrue();
        assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(known.quiet().unmarked()).isEqualTo(Unmarked.ANSWER);
    }

    @Test
    void theTemplateSaysTheFamilyAndWhoOpensWhereNothingIsTried() {
        server.llamaServer("some-model", FakeModelServer.QWEN3_JINJA);
        var model = known("some-model", QUICK.withoutTrial());
        server.llamaServer("some-model", FakeModelServer.QWQ_JINJA);
        var template = known("some-model", QUICK.withoutTrial());

        assertThat(server.requests()).isEmpty();
        assertThat(model.text())
                .isEqualTo("llama-server b6710-74b8fc17, some-model, family qwen3 (by its template);"
                        + " reasoning stands between <think> and </think> (not tried)");
        assertThat(model.thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(template.thinking().unmarked()).isEqualTo(Unmarked.REASONING);
    }

    @Test
    void whatIsNeitherKnownNorTriedIsWithheld() {
        server.hosted(NOT_THERE);

        var known = known(NOT_THERE, QUICK.withoutTrial());

        assertThat(known.thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
        assertThat(known.text()).contains("(not tried)");
    }

    @Test
    void serversOfOtherKindsAreKnownToo() {
        server.studio("qwen/qwen3-8b", "qwen3");
        assertThat(known("qwen/qwen3-8b", QUICK.withoutTrial()).text())
                .startsWith("LM Studio, qwen/qwen3-8b, family qwen3 (by its name)");

        var sglang = new FakeModelServer();
        var mlx = new FakeModelServer();
        open.addAll(List.of(sglang, mlx));
        sglang.page("GET /v1/models", "{'data':[{'id':'r1','owned_by':'sglang','root':'r1'}]}")
                .page(
                        "GET /get_server_info",
                        "{'version':'0.5.3','model_path':'deepseek-ai/DeepSeek-R1','reasoning_parser':null}");
        mlx.mlx("mlx-community/Llama-3.2-3B-Instruct-4bit");
        assertThat(await(engine("r1", QUICK.withoutTrial(), List.of(), sglang)).text())
                .startsWith("SGLang 0.5.3, r1, family deepseek-r1 (by its name at the server)");
        assertThat(await(engine("mlx-community/Llama-3.2-3B-Instruct-4bit", QUICK, List.of(), mlx))
                        .text())
                .startsWith("mlx_lm, mlx-community/Llama-3.2-3B-Instruct-4bit, family llama (by its name);"
                        + " it shows no reasoning in its text (tried)");
    }

    /// Ollama 0.12.3 `types/model/capability.go`; llama.cpp b6710 `tools/server/server.cpp` (`modalities`); LM Studio's
    /// `1_developer/2_rest/endpoints.mdx` (`vlm`).
    @Test
    void serversSayWhetherTheModelTakesImagesOrTheOperatorDoes() {
        server.ollama("m", "qwen3", "").page("POST /api/show", "{'capabilities':['completion','vision']}");
        assertThat(sees(OperatorWord.NONE)).isTrue();
        server.page("POST /api/show", "{'capabilities':['completion']}");
        assertThat(sees(OperatorWord.NONE)).isFalse();
        server.page("GET /api/version", "{}").llamaServer("m", "");
        assertThat(sees(OperatorWord.NONE)).isFalse();
        server.page("GET /props", "{'default_generation_settings':{},'modalities':{'vision':true,'audio':false}}");
        assertThat(sees(OperatorWord.NONE)).isTrue();
        server.studio("m", "qwen2_vl")
                .page("GET /api/v0/models", "{'data':[{'id':'m','type':'vlm','arch':'qwen2_vl'}]}");
        assertThat(sees(OperatorWord.NONE)).isTrue();
        server.page("GET /api/v0/models", "{}").vllm("m", "Qwen/Qwen3-8B");
        assertThat(sees(OperatorWord.NONE)).isFalse();
        assertThat(sees(saying(true))).isTrue();
        server.page("POST /api/show", "{'capabilities':['completion','vision']}")
                .ollama("m", "qwen3", "");
        assertThat(sees(saying(false))).isFalse();
    }

    private static OperatorWord saying(boolean images) {
        var takes = new OperatorWord.Takes(Optional.empty(), false, Optional.empty(), Optional.of(images));
        return new OperatorWord(null, List.of(), null, "", takes);
    }

    private boolean sees(OperatorWord word) {
        var knowing = new Knowing(word, false, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(200));
        var engine = engine("m", knowing, List.of(), server);
        boolean sees = await(engine).seesImages();
        assertThat(engine.describe().can(Ability.IMAGES)).isEqualTo(sees);
        engine.close();
        return sees;
    }

    @Test
    void whatAServerSaysOfItselfIsBoundedAndPlain() {
        server.hosted(NOT_THERE).page("GET /version", "{'version':'1.0\\u001b[31m<script>" + "x".repeat(500) + "'}");

        assertThat(known(NOT_THERE, QUICK.withoutTrial()).text())
                .startsWith("vLLM 1.0[31mscriptxxx")
                .hasSizeLessThan(400);
    }

    @Test
    void aPlainFamilyIsBelievedOnlyAsFarAsWholeAnswers() {
        server.hosted("llama3.2:3b").model(always(right -> Reply.content("Sure! Here it is: " + right)));
        var chatty = known("llama3.2:3b");
        server.model(always(right -> Reply.content("R</think>" + right)));
        var lying = known("llama3.2:3b");

        assertThat(chatty.thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(lying.thinking().unmarked()).isEqualTo(Unmarked.REASONING);
    }

    @Test
    void aFamilyWhoseSourceNobodyReadIsNotBelieved() {
        server.hosted("glm4:9b").model(always(right -> Reply.content("Sure! Here it is: " + right)));
        var chatty = known("glm4:9b");
        server.model(always(Reply::content));
        var exact = known("glm4:9b");

        assertThat(chatty.thinking().unmarked()).isEqualTo(Unmarked.UNKNOWN);
        assertThat(chatty.text()).contains("(the source of its family was not read)");
        assertThat(exact.thinking().unmarked()).isEqualTo(Unmarked.ANSWER);
    }

    @Test
    void aFamilyThatCanReasonAndDidNotIsShownWhole() {
        server.hosted("deepseek-r1:8b");

        assertThat(known("deepseek-r1:8b").thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
    }

    @Test
    void aModelThatTheServerDoesNotListIsToldOf() {
        server.ollama("qwen3:8b", "qwen3", "");

        assertThat(known("qwen3:14b").text())
                .startsWith("Ollama 0.12.3, qwen3:14b, which is not in its list of models");
    }

    @Test
    void theOperatorsWordBeatsTheTrial() {
        server.hosted(NOT_THERE).model(always(right -> Reply.content("Hm. " + right)));
        var none = engine(NOT_THERE, QUICK, List.of(ReasoningStrategy.NONE), server);
        await(() -> none.health().status() == EngineHealth.Status.READY);
        assertThat(none.known().thinking().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(none.known().quiet().unmarked()).isEqualTo(Unmarked.ANSWER);
        assertThat(none.known().text()).contains("unmarked text is the answer, as worker.chat.reasoning=none says");

        server.model(always(right -> Reply.content("<mull>R</mull>" + right)));
        var qwen = FamilyTable.shared().named("qwen3").orElseThrow();
        var marks = List.of(new MarkPair("<mull>", "</mull>"));
        var word =
                new OperatorWord(KnownFamily.named(qwen), marks, null, "", OperatorWord.Takes.UNSAID).withSchemas(true);
        var marked = known(NOT_THERE, QUICK.with(word));
        assertThat(marked.thinking().unmarked()).isEqualTo(Unmarked.ANSWER_WHEN_WHOLE);
        assertThat(marked.thinking().reasoning())
                .contains(new MarkPair("<mull>", "</mull>"), new MarkPair("<think>", "</think>"));
        assertThat(marked.takesSchemas()).isTrue();
        assertThat(marked.text()).contains("family qwen3 (as worker.chat.family says)", "<mull>");
    }

    @Test
    void aSchemaThatIsIgnoredIsNotTaken() {
        server.hosted(NOT_THERE).model(request -> Reply.content(prompt(request).contains("BLUE") ? "BLUE" : "42"));

        assertThat(known(NOT_THERE).takesSchemas()).isFalse();
    }
}
