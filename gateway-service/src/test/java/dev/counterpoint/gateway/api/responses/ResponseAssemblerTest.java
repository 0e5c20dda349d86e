package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.gateway.turn.RandomScript;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.PromptCacheDiagnostics;
import dev.counterpoint.openai.responses.ResponseEcho;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.testkit.Golden;
import dev.counterpoint.testkit.contract.ContractValidator;
import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.StreamViolation;
import dev.counterpoint.validator.ValidatorOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseAssemblerTest {
    private static final ResponseId ID = new ResponseId(1_790_000_000_123L, 5, 0x1234_5678_9ABC_DEFL, 42);
    private static final int RANDOM_STREAMS = 400;

    static Stream<Golden> goldens() {
        return Golden.all("golden/responses");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void streamsExactlyTheGoldenEvents(Golden golden) {
        // Given
        var given = WireJson.parse(golden.text("given.json").getBytes(StandardCharsets.UTF_8));
        var events = play(plan(given), ModelScript.read(given.get("outputs")));

        // Then
        assertThat(violations(events)).isEmpty();
        golden.verify("then.sse", sse(events));
    }

    @ParameterizedTest(name = "raw reasoning: {0}")
    @ValueSource(booleans = {true, false})
    void whateverTheModelSaysTheStreamKeepsTheGrammarAndTheContract(boolean raw) {
        var contract = ContractValidator.load();
        for (long seed = 0; seed < RANDOM_STREAMS; seed++) {
            // Given
            var script = RandomScript.of(seed, raw);

            // When
            var events = play(plan(raw, true), script);

            // Then
            assertThat(violations(events)).as("seed %d: %s", seed, script).isEmpty();
            if (contract.isPresent()) {
                for (var event : trees(events)) {
                    assertThat(contract.get().eventViolations(event))
                            .as("seed %d: %s", seed, event)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void withoutEntitlementNoReasoningLeavesEvenIfItComesInClear() {
        // Given
        var script = new ArrayList<>(RandomScript.of(1, true));
        script.addFirst(ModelScript.closes(900, true));
        script.addFirst(ModelScript.says(900, true, "CANARY"));
        script.addFirst(ModelScript.opens(900, true, "analysis", null));

        // When
        var stream = sse(play(plan(false, true), script));

        // Then
        assertThat(stream).contains("\"type\":\"reasoning\"").doesNotContain("CANARY", "reasoning_text");
    }

    @Test
    void whatIsForAToolThatNoClientRunsIsNotShown() {
        // Given
        var script = List.of(
                ModelScript.opens(0, false, "commentary", "browser.search"),
                ModelScript.says(0, false, "CANARY"),
                ModelScript.closes(0, false),
                ModelScript.opens(1, false, "analysis", null),
                ModelScript.says(1, false, "CANARY"),
                ModelScript.closes(1, false),
                ModelScript.finish(End.Finish.STOP));

        // When
        var assembler = assembler(plan(true, false));
        assembler.begin();
        script.forEach(assembler::accept);

        // Then
        assertThat(assembler.response().output()).isEmpty();
    }

    @Test
    void nothingFollowsTheEnd() {
        // Given
        var assembler = assembler(plan(true, false));
        assembler.begin();
        assembler.accept(ModelScript.finish(End.Finish.STOP));

        // Then
        assertThatThrownBy(() -> assembler.accept(ModelScript.finish(End.Finish.STOP)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFormThatIsTooComplexFailsTheResponseByNameOrCutsItShortWithAWarning() {
        // Given
        var plan = plan(false, false);
        var header = ModelScript.opens(0, false, "final", null);
        // When
        var refused = trees(play(plan, List.of(header, ModelScript.finish(End.Finish.GRAMMAR_TOO_COMPLEX))))
                .getLast();
        var cut = trees(play(
                        plan,
                        List.of(header, ModelScript.says(0, false, "a"), ModelScript.finish(End.Finish.GRAMMAR_CUT))))
                .getLast();
        // Then
        assertThat(refused.path("type").asText()).isEqualTo("response.failed");
        assertThat(refused.at("/response/error/code").asText()).isEqualTo("grammar_too_complex");
        assertThat(cut.path("type").asText()).isEqualTo("response.incomplete");
        assertThat(cut.at("/response/incomplete_details/reason").asText()).isEqualTo("max_output_tokens");
        assertThat(cut.at("/response/warnings/0").asText()).startsWith("grammar_too_complex: ");
        assertThat(cut.at("/response/reasoning_unavailable").isMissingNode()).isTrue();
    }

    @Test
    void aCallThatNobodyDeclaredLeavesTheResponseIncompleteWithItsName() {
        // Given
        var end = new End(End.Finish.CONTENT_FILTER, 1, 0, 1, 0, 1, End.Reasoning.TOLD, List.of("container.exec"));
        // When
        var last = trees(play(plan(false, false), List.of(new ModelOutput.Finished(end))))
                .getLast();
        // Then
        assertThat(last.path("type").asText()).isEqualTo("response.incomplete");
        assertThat(last.at("/response/incomplete_details/reason").asText()).isEqualTo("content_filter");
        assertThat(last.at("/response/warnings/0").asText()).contains("undeclared_tool_call", "container.exec");
    }

    @Test
    void aCompactionIsAnnouncedWhileItsItemIsOpen() {
        var events = play(plan(false, false).compacted("blob"), List.of(ModelScript.finish(End.Finish.STOP)));

        assertThat(violations(events)).isEmpty();
        assertThat(events.subList(2, 5))
                .extracting(StreamEvent::type)
                .containsExactly(
                        "response.output_item.added", "response.compaction.compacting", "response.output_item.done");
    }

    @Test
    void aReplicaThatOnlyHasTheEchoDerivesTheSameEvents() {
        // Given
        var plan = plan(WireJson.parse("""
                {"raw":true,"summary":true,"request":{"input":"x","instructions":"i","metadata":{"a":"b"},
                "tools":[{"type":"function","name":"f","parameters":{"type":"object"},"strict":true}],
                "tool_choice":{"type":"function","name":"f"},"reasoning":{"effort":"high","summary":"auto"},
                "text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"},"strict":true}}}}
                """.getBytes(StandardCharsets.UTF_8)));

        // When
        var echoed = WireJson.read(WireJson.writeBytes(plan), ResponsePlan.class);

        // Then
        assertThat(echoed).isEqualTo(plan);
        assertThat(sse(play(echoed, RandomScript.of(7, true)))).isEqualTo(sse(play(plan, RandomScript.of(7, true))));
    }

    @ParameterizedTest
    @CsvSource({"8, cache_hit", "0, unavailable"})
    void aPromptThatCouldBeReusedIsAHitOnceTheEngineHasReusedIt(int cached, String type) {
        // Given
        var plan = plan(false, false).diagnosed(PromptCacheDiagnostics.HIT);
        var end = new End(End.Finish.STOP, 9, cached, 1, 0, 1);

        // When
        var events = trees(play(plan, List.of(new ModelOutput.Finished(end))));

        // Then
        assertThat(events.getFirst().path("response").has("prompt_cache_diagnostics"))
                .isFalse();
        assertThat(events.getLast()
                        .at("/response/prompt_cache_diagnostics/type")
                        .asText())
                .isEqualTo(type);
    }

    private static ResponsePlan plan(JsonNode given) {
        var request = WireJson.read(given.get("request"), CreateResponse.class);
        var plan = TestPlans.of(
                given.path("raw").asBoolean(),
                given.path("summary").asBoolean(),
                ResponseEcho.of(request, "gpt-oss-20b"));
        return given.path("padded").asBoolean() ? plan.padded(true) : plan;
    }

    private static ResponsePlan plan(boolean raw, boolean summary) {
        return plan(WireJson.mapper()
                .createObjectNode()
                .put("raw", raw)
                .put("summary", summary)
                .set("request", WireJson.mapper().createObjectNode().put("input", "hi")));
    }

    private static ResponseAssembler assembler(ResponsePlan plan) {
        return new ResponseAssembler(ID, plan);
    }

    private static List<StreamEvent> play(ResponsePlan plan, List<ModelOutput> script) {
        var assembler = assembler(plan);
        var events = new ArrayList<>(assembler.begin());
        script.forEach(output -> events.addAll(assembler.accept(output)));
        return events;
    }

    private static List<JsonNode> trees(List<StreamEvent> events) {
        return events.stream()
                .map(event -> WireJson.parse(WireJson.writeBytes(event)))
                .toList();
    }

    private static List<StreamViolation> violations(List<StreamEvent> events) {
        return StreamValidator.validate(sse(events).getBytes(StandardCharsets.UTF_8), ValidatorOptions.DEFAULT);
    }

    private static String sse(List<StreamEvent> events) {
        return events.stream()
                        .map(event -> new String(SseFrame.event(event.type(), event), StandardCharsets.UTF_8))
                        .collect(Collectors.joining())
                + new String(SseFrame.done(), StandardCharsets.UTF_8);
    }
}
