package dev.counterpoint.openai.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The examples of objects that stand in the contract, through our types and back. The subset of it that we
/// read left out those of its documentation (`x-oaiMeta`), where OpenAI has the others.
class ExamplesTest {
    private static final Optional<Contract> LOADED = Contract.load();

    /// Examples that break their own schema, with what mends them.
    private static final Map<String, Consumer<ObjectNode>> BAD = Map.of(
            "Response", ExamplesTest::mendResponse,
            "CompactResource", ExamplesTest::mendCompaction);

    /// A text has no `logprobs`, and `user` is null, which it may not be.
    private static void mendResponse(ObjectNode example) {
        ((ObjectNode) example.at("/output/0/content/0")).putArray("logprobs");
        example.remove("user");
    }

    /// Messages have neither id nor status, and the usage no details.
    private static void mendCompaction(ObjectNode example) {
        for (var item : example.path("output")) {
            if (item.path("type").textValue().equals("message")) {
                ((ObjectNode) item).put("id", "msg_1").put("status", "completed");
            }
        }
        var usage = (ObjectNode) example.path("usage");
        usage.putObject("input_tokens_details").put("cached_tokens", 0).put("cache_write_tokens", 0);
        usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
    }

    static Stream<String> schemas() {
        var contract = LOADED.orElseThrow();
        return contract.schemas().stream()
                .filter(name -> example(contract, name).isObject());
    }

    private static JsonNode example(Contract contract, String schema) {
        return contract.at(Contract.pointer(schema)).path("example").deepCopy();
    }

    @BeforeAll
    static void skipWithoutContract() {
        assumeTrue(LOADED.isPresent());
    }

    @Test
    void thereAreThree() {
        assertThat(schemas()).containsExactly("CompactResource", "Response", "TokenCountsResource");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("schemas")
    void isWrittenAsItWasRead(String schema) {
        var contract = LOADED.orElseThrow();
        var validator = new ContractValidator(contract);
        var example = (ObjectNode) example(contract, schema);
        assertThat(validator.violations(schema, example).isEmpty()).isNotEqualTo(BAD.containsKey(schema));
        BAD.getOrDefault(schema, _ -> {}).accept(example);

        assertThat(validator.violations(schema, example)).isEmpty();
        var map = new TypeMap(contract, Bodies.TYPES);
        boolean typed = Collections.disjoint(contract.below(schema), map.incomplete());
        assertThat(typed ? map.types().getOrDefault(schema, Set.of()) : Set.<Class<?>>of())
                .allSatisfy(type -> {
                    var written = WireJson.tree(WireJson.read(example, type));
                    assertThat(Differences.between(example, written)).isEmpty();
                    assertThat(validator.violations(schema, written)).isEmpty();
                });
    }
}
