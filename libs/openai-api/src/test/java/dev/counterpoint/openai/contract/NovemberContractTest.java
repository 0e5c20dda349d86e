package dev.counterpoint.openai.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CompactedResponse;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.StoredItem;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.openai.responses.Tool;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import dev.counterpoint.testkit.contract.InstanceGenerator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Generated values of the contract of November 2026 through our types and back, as [RoundTripTest] for August.
class NovemberContractTest {
    private static final int CASES = Integer.getInteger("contract.cases", 100);

    private static final Optional<Contract> LOADED = Contract.november();
    private static final Optional<ContractValidator> VALIDATOR = LOADED.map(ContractValidator::new);

    private static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry("CreateResponse", CreateResponse.class),
            Map.entry("CreateChatCompletionRequest", ChatRequest.class),
            Map.entry("Response", ResponseObject.class),
            Map.entry("ResponseStreamEvent", StreamEvent.class),
            Map.entry("ResponseInputItem", InputItem.class),
            Map.entry("ResponseOutputItem", OutputItem.class),
            Map.entry("ResponseItem", StoredItem.class),
            Map.entry("Tool", Tool.class),
            Map.entry("CompactedResponse", CompactedResponse.class),
            Map.entry("ChatCompletion", ChatCompletion.class),
            Map.entry("ChatCompletionChunk", ChatChunk.class));

    private static final Set<Class<?>> REQUESTS =
            Set.of(CreateResponse.class, ChatRequest.class, InputItem.class, Tool.class);

    /// Of images, spoken output and reasoning that was left out.
    private static final Pattern WITHOUT_TYPE =
            Pattern.compile("(\\.response)?\\.image is gone,.*|.*\\.delta\\.audio is gone,.*", Pattern.DOTALL);

    /// What a service always sends though its client's types would do without.
    private static final Pattern AUGUST_REQUIRES =
            Pattern.compile("Missing required parameter: '(.*\\.logprobs|response_id|name)'\\.");

    /// A choice of tools may hold any object there, and a tool by its type here.
    private static final Pattern CHOICE_OF_ANYTHING =
            Pattern.compile("Missing required parameter: '(.*\\.)?tool_choice\\.(.*\\.)?(type|server_label)'\\.");

    /// A schema of the contract, and a type that its values are read as.
    record Pair(String schema, Class<?> type) {
        List<String> violations(JsonNode json) {
            try {
                var written = WireJson.parse(WireJson.writeBytes(WireJson.read(json, type)));
                return Stream.concat(
                                Differences.between(json, written).stream()
                                        .filter(difference -> !WITHOUT_TYPE
                                                .matcher(difference)
                                                .matches()),
                                VALIDATOR.orElseThrow().violations(schema, written).stream())
                        .toList();
            } catch (WireException refused) {
                boolean lacking = AUGUST_REQUIRES.matcher(refused.message()).matches() && !REQUESTS.contains(type);
                return lacking || CHOICE_OF_ANYTHING.matcher(refused.message()).matches()
                        ? List.of()
                        : List.of(refused.message());
            }
        }

        @Override
        public String toString() {
            return schema;
        }
    }

    /// Of a union each of its forms.
    static Stream<Pair> pairs() {
        var contract = LOADED.orElseThrow();
        return TYPES.entrySet().stream()
                .flatMap(entry -> forms(contract, entry.getKey()).map(form -> new Pair(form, entry.getValue())));
    }

    private static Stream<String> forms(Contract contract, String schema) {
        var forms = Contract.pointer(schema) + "/anyOf";
        int count = contract.at(Contract.pointer(schema)).path("anyOf").size();
        return count == 0
                ? Stream.of(schema)
                : IntStream.range(0, count).mapToObj(i -> String.valueOf(contract.reference(forms + "/" + i)));
    }

    @BeforeAll
    static void skipWithoutContract() {
        assumeTrue(LOADED.isPresent());
    }

    @ParameterizedTest
    @CsvSource({"ResponseStreamEvent,59", "ResponseInputItem,33", "ResponseOutputItem,28", "Tool,16"})
    void theContractHasAsManyAsWeCounted(String union, int count) {
        assertThat(forms(LOADED.orElseThrow(), union)).hasSize(count);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void writesWhatItRead(Pair pair) {
        var generator = new InstanceGenerator(LOADED.orElseThrow(), VALIDATOR.orElseThrow());

        assertThat(LongStream.range(0, CASES)
                        .mapToObj(seed -> generator.valid(pair.schema(), seed))
                        .filter(instance -> !RoundTripTest.namesItsSummaryTwice(instance.json())))
                .allSatisfy(instance -> assertThat(pair.violations(instance.json()))
                        .as("%s: %s", instance, instance.json())
                        .isEmpty());
    }
}
