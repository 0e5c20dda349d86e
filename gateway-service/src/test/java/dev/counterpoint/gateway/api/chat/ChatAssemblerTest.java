package dev.counterpoint.gateway.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.request.ServiceTier;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.gateway.turn.RandomScript;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.FinishReason;
import dev.counterpoint.openai.chat.ReasoningDetail;
import dev.counterpoint.openai.chat.ToolCall;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.Golden;
import dev.counterpoint.testkit.contract.ContractValidator;
import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.StreamViolation;
import dev.counterpoint.validator.ValidatorOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChatAssemblerTest {
    private static final ResponseId ID = new ResponseId(1_790_000_000_123L, 5, 0x1234_5678_9ABC_DEFL, 42);
    private static final int RANDOM_STREAMS = 400;

    static Stream<Golden> goldens() {
        return Golden.all("golden/chat");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void streamsExactlyTheGoldenChunks(Golden golden) {
        // Given
        var given = WireJson.parse(golden.text("given.json").getBytes(StandardCharsets.UTF_8));
        var assembler = new ChatAssembler(ID, plan(given));

        // When
        var chunks = play(assembler, ModelScript.read(given.get("outputs")));

        // Then
        golden.verify("then.sse", sse(chunks));
        if (answered(assembler)) {
            assertThat(violations(chunks)).isEmpty();
            golden.verify("then.json", WireJson.tree(assembler.completion()).toPrettyString() + "\n");
        }
    }

    @ParameterizedTest(name = "raw reasoning: {0}")
    @ValueSource(booleans = {true, false})
    void whateverTheModelSaysTheChunksAddUpToTheCompletion(boolean raw) {
        var contract = ContractValidator.load();
        for (long seed = 0; seed < RANDOM_STREAMS; seed++) {
            // Given
            var form = seed % 2 == 0 ? "" : "by_mode";
            var assembler = new ChatAssembler(ID, plan(raw ? "raw" : "summary", form, "logprobs", "usage"));

            // When
            var chunks = play(assembler, RandomScript.of(seed, raw));

            // Then
            assertThat(chunks).as("seed %d", seed).allSatisfy(chunk -> {
                if (contract.isPresent()) {
                    assertThat(contract.get().violations("CreateChatCompletionStreamResponse", tree(chunk)))
                            .isEmpty();
                }
            });
            if (answered(assembler)) {
                assertThat(violations(chunks)).as("seed %d", seed).isEmpty();
                addsUp(chunks, assembler);
                if (contract.isPresent()) {
                    assertThat(contract.get().violations("CreateChatCompletionResponse", tree(assembler.completion())))
                            .as("seed %d", seed)
                            .isEmpty();
                }
            }
        }
    }

    private static void addsUp(List<ChatChunk> chunks, ChatAssembler assembler) {
        var choice = assembler.completion().choices().getFirst();
        var deltas = chunks.stream()
                .flatMap(chunk -> chunk.choices().stream())
                .map(ChatChunk.Choice::delta)
                .toList();
        assertThat(joined(deltas.stream().map(ChatChunk.Delta::content)))
                .isEqualTo(Objects.requireNonNullElse(choice.message().content(), ""));
        assertThat(joined(deltas.stream().map(ChatChunk.Delta::reasoning)))
                .isEqualTo(Objects.requireNonNullElse(choice.message().reasoning(), ""));
        assertThat(joined(deltas.stream().map(ChatChunk.Delta::reasoningSummary)))
                .isEqualTo(Objects.requireNonNullElse(choice.message().reasoningSummary(), ""));
        saysTheSameInBothForms(deltas);
        var arguments = deltas.stream()
                .map(ChatChunk.Delta::toolCalls)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        ChatChunk.ToolCallDelta::index,
                        Collectors.mapping(
                                call -> Objects.requireNonNull(
                                        Objects.requireNonNull(call.function()).arguments()),
                                Collectors.joining())));
        var calls = Objects.requireNonNullElse(choice.message().toolCalls(), List.<ToolCall>of());
        assertThat(arguments).hasSameSizeAs(calls);
        for (int i = 0; i < calls.size(); i++) {
            assertThat(calls.get(i)).isInstanceOf(ToolCall.Function.class);
            assertThat(((ToolCall.Function) calls.get(i)).function().arguments())
                    .isEqualTo(arguments.get(i));
        }
        assertThat(chunks.stream()
                        .flatMap(chunk -> chunk.choices().stream())
                        .map(ChatChunk.Choice::finishReason)
                        .filter(Objects::nonNull))
                .containsExactly(choice.finishReason());
        assertThat(chunks.getLast().usage()).isNotNull();
    }

    private static void saysTheSameInBothForms(List<ChatChunk.Delta> deltas) {
        for (var delta : deltas) {
            if (delta.reasoning() != null && delta.reasoningDetails() != null) {
                var told = delta.reasoningDetails().stream().map(detail -> switch (detail) {
                    case ReasoningDetail.Summary summary -> summary.summary();
                    case ReasoningDetail.Text text -> text.text();
                    case ReasoningDetail.Encrypted _, ReasoningDetail.Unknown _ -> "?";
                });
                assertThat(joined(told)).isEqualTo(delta.reasoning());
            }
        }
    }

    @Test
    void chunksHaveTheMemberUsageOnlyWhenTheRequestAsksForIt() {
        // Given
        var script = ModelScript.read("""
                [{"message":0,"channel":"final","text":"x","closed":true},{"finish":"STOP"}]""");

        // When
        var silent = play(new ChatAssembler(ID, plan()), script);
        var asked = play(new ChatAssembler(ID, plan("usage")), script);
        var oneOfSeveral = play(new ChatAssembler(ID, plan("usage", "choice")), script);

        // Then
        assertThat(silent).noneMatch(chunk -> tree(chunk).has("usage"));
        assertThat(asked).allMatch(chunk -> tree(chunk).has("usage"));
        assertThat(asked).filteredOn(chunk -> tree(chunk).hasNonNull("usage")).containsExactly(asked.getLast());
        assertThat(oneOfSeveral).allMatch(chunk -> tree(chunk).path("usage").isNull());
    }

    @Test
    void whoAskedForNoReasoningSeesNoMemberAboutIt() {
        // Given
        var assembler = new ChatAssembler(ID, plan("usage"));
        var script = List.of(
                ModelScript.opens(0, true, "analysis", null),
                ModelScript.says(0, true, "CANARY"),
                ModelScript.closes(0, true),
                new ModelOutput.SealedReasoning("YQ"),
                ModelScript.opens(1, false, "final", null),
                ModelScript.says(1, false, "42"),
                ModelScript.closes(1, false),
                ModelScript.finish(End.Finish.STOP));

        // When
        var stream = sse(play(assembler, script)) + WireJson.write(assembler.completion());

        // Then
        assertThat(stream.replace("reasoning_tokens", "")).doesNotContain("reasoning", "CANARY", "warnings");
        assertThat(assembler.sealed()).containsExactly("YQ");
    }

    @Test
    void aFormThatIsTooComplexIsAMistakeOfTheRequestOrCutsTheAnswerShortWithAWarning() {
        // Given
        var plan = plan("usage");
        var assembler = new ChatAssembler(ID, plan);
        var header = ModelScript.opens(0, false, "final", null);
        // When
        play(assembler, List.of(header, ModelScript.says(0, false, "a"), ModelScript.finish(End.Finish.GRAMMAR_CUT)));
        var refused = new ChatAssembler(ID, plan);
        play(refused, List.of(header, ModelScript.finish(End.Finish.GRAMMAR_TOO_COMPLEX)));
        var problem = refused.ending().flatMap(ending -> TurnRefusals.of(ending, "messages"));
        // Then
        var choice = assembler.completion().choices().getFirst();
        assertThat(choice.finishReason()).isEqualTo(FinishReason.LENGTH);
        assertThat(choice.message().warnings()).singleElement().asString().startsWith("grammar_too_complex: ");
        assertThat(assembler.ending().flatMap(ending -> TurnRefusals.of(ending, "messages")))
                .isEmpty();
        assertThat(problem).hasValueSatisfying(error -> {
            assertThat(error.status()).isEqualTo(400);
            assertThat(error.code()).isEqualTo("grammar_too_complex");
            assertThat(error.param()).isNull();
        });
    }

    @Test
    void aCallThatNobodyDeclaredIsNamedInTheLastChunk() {
        // Given
        var assembler = new ChatAssembler(ID, plan("summary"));
        var end = new End(End.Finish.CONTENT_FILTER, 1, 0, 1, 0, 1, End.Reasoning.TOLD, List.of("container.exec"));
        // When
        var last = play(assembler, List.of(new ModelOutput.Finished(end)))
                .getLast()
                .choices()
                .getFirst();
        // Then
        assertThat(last.finishReason()).isEqualTo(FinishReason.CONTENT_FILTER);
        assertThat(last.delta().warnings())
                .singleElement()
                .asString()
                .contains("undeclared_tool_call", "container.exec");
        assertThat(assembler.completion().choices().getFirst().message().warnings())
                .isEqualTo(last.delta().warnings());
    }

    @Test
    void aServerThatRefusesTheDeploymentIsABadGateway() {
        // Given
        var assembler = new ChatAssembler(ID, plan("summary"));
        // When
        play(assembler, List.of(ModelScript.finish(End.Finish.UPSTREAM_MISCONFIGURED)));
        // Then
        assertThat(assembler.ending().flatMap(ending -> TurnRefusals.of(ending, "messages")))
                .hasValueSatisfying(error -> assertThat(error.status()).isEqualTo(502));
    }

    @Test
    void everyRunOfReasoningIsSealedByItself() {
        // Given
        var assembler = new ChatAssembler(ID, plan("summary"));
        var script = ModelScript.read("""
                [{"hidden":0},{"hidden":1},{"sealed":"b"},{"message":2,"channel":"commentary","text":"x","closed":true},
                 {"hidden":3},{"sealed":"c"},{"finish":"STOP"}]""");

        // When
        play(assembler, script);

        // Then
        assertThat(assembler.sealed()).containsExactly("b", "c");
        assertThat(assembler.completion().choices().getFirst().finishReason()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void everyChunkAndTheWholeNameTheTierThatWasAskedFor() {
        // Given
        var plan = new ChatPlan(
                ChatPlan.KIND,
                "m",
                false,
                false,
                true,
                false,
                true,
                null,
                null,
                ServiceTier.FLEX.wireName(),
                null,
                null,
                null,
                null,
                null,
                null);
        var assembler = new ChatAssembler(ID, plan);
        // When
        var chunks = play(assembler, ModelScript.read("""
                        [{"message":0,"channel":"final","text":"x","closed":true},{"finish":"STOP"}]"""));
        // Then
        assertThat(chunks)
                .hasSizeGreaterThan(2)
                .extracting(ChatChunk::serviceTier)
                .containsOnly("flex");
        assertThat(assembler.completion().serviceTier()).isEqualTo("flex");
    }

    @Test
    void aReplicaThatOnlyHasTheEchoDerivesTheSameChunks() {
        var metadata = Map.of("a", "b");
        var plan = new ChatPlan(
                ChatPlan.KIND,
                "m",
                true,
                false,
                false,
                true,
                true,
                metadata,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "alice");

        assertThat(WireJson.read(WireJson.writeBytes(plan), ChatPlan.class)).isEqualTo(plan);
    }

    private static boolean answered(ChatAssembler assembler) {
        return assembler
                .ending()
                .filter(ending -> ending instanceof TurnEnding.Complete || ending instanceof TurnEnding.Truncated)
                .isPresent();
    }

    private static ChatPlan plan(String... flags) {
        var given = JsonNodeFactory.instance.objectNode();
        for (var flag : flags) {
            given.put(flag, true);
        }
        return plan(given);
    }

    private static ChatPlan plan(JsonNode given) {
        var custom = new ArrayList<String>();
        given.path("custom").forEach(tool -> custom.add(tool.asText()));
        var plain = new ArrayList<String>();
        given.path("grammar").forEach(tool -> plain.add(tool.asText()));
        var first = new TurnIds(new ResponseId(1_789_999_999_999L, 4, 1, 2)).completion();
        return new ChatPlan(
                ChatPlan.KIND,
                "gpt-oss-20b",
                given.path("raw").asBoolean(),
                given.path("summary").asBoolean(),
                !given.path("by_mode").asBoolean(),
                given.path("logprobs").asBoolean(),
                given.path("usage").asBoolean(),
                null,
                null,
                null,
                custom,
                plain,
                given.has("choice") ? new ChatPlan.Choice(given.get("choice").asInt(), first) : null,
                given.path("padded").asBoolean(),
                null,
                null);
    }

    private static List<ChatChunk> play(ChatAssembler assembler, List<ModelOutput> script) {
        var chunks = new ArrayList<>(assembler.begin());
        script.forEach(output -> chunks.addAll(assembler.accept(output)));
        return chunks;
    }

    private static String joined(Stream<String> texts) {
        return texts.filter(Objects::nonNull).collect(Collectors.joining());
    }

    private static JsonNode tree(Object value) {
        return WireJson.parse(WireJson.writeBytes(value));
    }

    private static List<StreamViolation> violations(List<ChatChunk> chunks) {
        return StreamValidator.validate(sse(chunks).getBytes(StandardCharsets.UTF_8), ValidatorOptions.DEFAULT);
    }

    private static String sse(List<ChatChunk> chunks) {
        return chunks.stream()
                        .map(chunk -> new String(SseFrame.data(chunk), StandardCharsets.UTF_8))
                        .collect(Collectors.joining())
                + new String(SseFrame.done(), StandardCharsets.UTF_8);
    }
}
