package dev.counterpoint.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.WireTypes.Golden;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ResponseEcho;
import dev.counterpoint.openai.responses.ResponseError;
import dev.counterpoint.openai.responses.ResponseErrorCode;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractTest {
    /// The schema of the contract for each of our families; what is missing here the contract does not have.
    private static final Map<String, String> SCHEMAS = Map.ofEntries(
            Map.entry("Annotation", "Annotation"),
            Map.entry("OutputContent", "OutputContent"),
            Map.entry("OutputItem", "OutputItem"),
            Map.entry("InputItem", "InputItem"),
            Map.entry("Input", "InputParam"),
            Map.entry("Tool", "Tool"),
            Map.entry("ToolChoice", "ToolChoiceParam"),
            Map.entry("ToolCaller", "ToolCallCaller"),
            Map.entry("ComputerAction", "ComputerAction"),
            Map.entry("McpCallError", "MCPToolCallError"),
            Map.entry("PatchOperation", "ApplyPatchOperationParam"),
            Map.entry("ShellOutcome", "FunctionShellCallOutputOutcomeParam"),
            Map.entry("TextFormat", "TextResponseFormatConfiguration"),
            Map.entry("ConversationParam", "ConversationParam"),
            Map.entry("CreateResponse", "CreateResponse"),
            Map.entry("ResponseObject", "Response"),
            Map.entry("ChatMessage", "ChatCompletionRequestMessage"),
            Map.entry("ToolCall", "ChatCompletionMessageToolCall"),
            Map.entry("chat/ToolCall/custom", "ChatCompletionMessageCustomToolCall"),
            Map.entry("ChatTool", "ChatCompletionTool"),
            Map.entry("chat/ChatTool/custom", "CustomToolChatCompletions"),
            Map.entry("ChatToolChoice", "ChatCompletionToolChoiceOption"),
            Map.entry("Stop", "StopConfiguration"),
            Map.entry("ChatRequest", "CreateChatCompletionRequest"),
            Map.entry("ChatCompletion", "CreateChatCompletionResponse"),
            Map.entry("ChatChunk", "CreateChatCompletionStreamResponse"),
            Map.entry("ChatCompletionList", "ChatCompletionList"),
            Map.entry("ChatMessageList", "ChatCompletionMessageList"),
            Map.entry("ChatCompletionDeleted", "ChatCompletionDeleted"),
            Map.entry("Voice", "VoiceIdsOrCustomVoice"),
            Map.entry("StoredItem", "ConversationItem"),
            Map.entry("ItemList", "ConversationItemList"),
            Map.entry("CompactRequest", "CompactResponseMethodPublicBody"),
            Map.entry("CompactedResponse", "CompactResource"),
            Map.entry("InputTokensRequest", "TokenCountsBody"),
            Map.entry("InputTokens", "TokenCountsResource"),
            Map.entry("ConversationObject", "ConversationResource"),
            Map.entry("CreateConversation", "CreateConversationBody"),
            Map.entry("UpdateConversation", "UpdateConversationBody"),
            Map.entry("ConversationDeleted", "DeletedConversationResource"),
            Map.entry("Model", "Model"),
            Map.entry("ModelDeleted", "DeleteModelResponse"),
            Map.entry("ModelList", "ListModelsResponse"),
            Map.entry("ErrorBody", "ErrorResponse"));

    private static final Optional<ContractValidator> LOADED = ContractValidator.load();
    private static final Optional<ContractValidator> NOVEMBER =
            Contract.november().map(ContractValidator::new);

    private ContractValidator contract() {
        return LOADED.orElseThrow();
    }

    @BeforeAll
    static void skipWithoutContract() {
        assumeTrue(LOADED.isPresent());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("written")
    void whatWeWriteKeepsTheContract(Golden golden) {
        var value = WireJson.read(golden.bytes(), golden.root());

        var json = WireJson.parse(WireJson.writeBytes(value));

        assertThat(
                        value instanceof StreamEvent
                                ? contract().eventViolations(json)
                                : contract().violations(schema(golden), json))
                .isEmpty();
    }

    @Test
    void theEchoOfAnEmptyRequestKeepsTheContract() {
        var request = WireJson.read(WireJson.parse("{}".getBytes(UTF_8)), CreateResponse.class);
        var echo = ResponseEcho.of(request, "gpt-oss-20b");

        var response = ResponseObject.fresh("resp_1", 1_790_000_000L, ResponseStatus.IN_PROGRESS, echo);

        assertThat(contract().violations("Response", WireJson.tree(response))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"auto,default", "default,default", "flex,flex", "priority,priority"})
    void theEchoNamesTheTierThatServes(String asked, String served) {
        var request = WireJson.read(
                WireJson.parse("{\"service_tier\":\"%s\"}".formatted(asked).getBytes(UTF_8)), CreateResponse.class);

        assertThat(ResponseEcho.of(request, "gpt-oss-20b").serviceTier()).isEqualTo(served);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logprobs", "item_id", "sequence_number", "delta"})
    void theContractMissesAMemberOfADelta(String member) {
        var delta = golden("response.output_text.delta");

        assertThat(contract().eventViolations(delta.without(member))).isNotEmpty();
    }

    @Test
    void theContractMissesTheCacheWritesInTheUsage() {
        var completed = golden("response.completed");
        ((ObjectNode) completed.at("/response/usage/input_tokens_details")).remove("cache_write_tokens");

        assertThat(contract().eventViolations(completed)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"response.reasoning_part.added", "response.reasoning.delta"})
    void theContractKnowsNoEventThatOthersInvented(String type) {
        assertThat(contract()
                        .eventViolations(golden("response.content_part.added").put("type", type)))
                .isNotEmpty();
    }

    @Test
    void everyEventOfTheContractIsOneOfOurs() {
        var ours = WireTypes.goldens()
                .filter(golden -> golden.root() == StreamEvent.class
                        && golden.leaf() != StreamEvent.Unknown.class
                        && golden.leaf() != StreamEvent.Compacting.class)
                .map(golden -> golden.name().substring("responses/StreamEvent/".length()));

        assertThat(ours).containsAll(contract().eventTypes());
    }

    @ParameterizedTest
    @EnumSource(ResponseErrorCode.class)
    void everyReasonToFailIsOneOfTheContract(ResponseErrorCode code) {
        assumeTrue(NOVEMBER.isPresent());

        var error = WireJson.tree(ResponseError.of(code, "It failed."));

        assertThat(NOVEMBER.get().violations("ResponseError", error)).isEmpty();
        assertThat(ResponseErrorCode.values()).hasSize(21);
    }

    @Test
    void aPageOfInputItemsIsAPageOfAConversation() {
        assertThat(contract().violations("ResponseItemList", golden("ItemList")))
                .isEmpty();
    }

    /// The contract has no family for some of ours, only the leaves.
    private static String schema(Golden golden) {
        return SCHEMAS.getOrDefault(
                golden.name(), SCHEMAS.getOrDefault(golden.root().getSimpleName(), ""));
    }

    private static ObjectNode golden(String event) {
        return (ObjectNode) WireJson.parse(WireTypes.goldens()
                .filter(golden -> golden.name().endsWith("/" + event))
                .findFirst()
                .orElseThrow()
                .bytes());
    }

    /// What this library does not know is kept as it came, so it is not ours to answer for. `configuration_update` and
    /// `response.compaction.compacting` are in the contract of November 2026 only.
    static Stream<Golden> written() {
        return WireTypes.goldens()
                .filter(golden -> golden.root() == StreamEvent.class
                        || SCHEMAS.containsKey(golden.root().getSimpleName()))
                .filter(golden -> !golden.leaf().getSimpleName().equals("Unknown"))
                .filter(golden -> golden.leaf() != InputItem.ConfigurationUpdate.class)
                .filter(golden -> golden.leaf() != StreamEvent.Compacting.class);
    }
}
