package dev.counterpoint.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.testkit.contract.Spoiled.Fault;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InstanceGeneratorTest {
    private static final long CASES = 10;
    private static final Optional<Contract> LOADED = Contract.load();

    private static final Optional<ContractValidator> VALIDATOR = LOADED.map(ContractValidator::new);

    @BeforeAll
    static void skipWithoutContract() {
        assumeTrue(LOADED.isPresent());
    }

    private static InstanceGenerator generator() {
        return new InstanceGenerator(LOADED.orElseThrow(), VALIDATOR.orElseThrow());
    }

    private static Stream<Instance> cases(String schema) {
        return LongStream.range(0, CASES).mapToObj(seed -> generator().valid(schema, seed));
    }

    static Set<String> schemas() {
        return LOADED.orElseThrow().schemas();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("schemas")
    void whatItMakesKeepsTheSchema(String schema) {
        assertThat(cases(schema))
                .allSatisfy(instance -> assertThat(VALIDATOR.orElseThrow().violations(schema, instance.json()))
                        .as("%s", instance)
                        .isEmpty());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("schemas")
    void whatIsSpoiledDiffersInOnePlaceAndBreaksTheSchema(String schema) {
        var spoiler = new Spoiler(LOADED.orElseThrow(), VALIDATOR.orElseThrow());

        assertThat(cases(schema).flatMap(instance -> spoiler.spoil(instance, 3).stream()))
                .allSatisfy(spoiled -> {
                    assertThat(spoiled.json()).isNotEqualTo(spoiled.instance().json());
                    assertThat(VALIDATOR.orElseThrow().violations(schema, spoiled.json()))
                            .isNotEmpty();
                });
    }

    @Test
    void theSameSeedMakesTheSame() {
        assertThat(generator().valid("CreateResponse", 7)).isEqualTo(generator().valid("CreateResponse", 7));
        assertThat(generator().valid("CreateResponse", 7).json())
                .isNotEqualTo(generator().valid("CreateResponse", 8).json());
    }

    @Test
    void makesEveryKindOfToolAndItem() {
        assertThat(tags("Tool", 400)).hasSize(16 + 2); // two tools have a dated name besides
        assertThat(tags("OutputItem", 400)).hasSize(28);
        assertThat(tags("InputItem", 1200)).hasSize(30);
    }

    private static Set<String> tags(String schema, int count) {
        return LongStream.range(0, count)
                .mapToObj(seed -> generator().valid(schema, seed).json().path("type"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .collect(Collectors.toSet());
    }

    @Test
    void leavesEveryOptionalMemberOutAndPutsItIn() {
        var seen = new HashSet<String>();
        cases("CreateResponse").forEach(instance -> instance.json().fieldNames().forEachRemaining(seen::add));

        assertThat(generator().valid("CreateResponse", 0).json()).isEmpty();
        assertThat(seen).hasSizeGreaterThanOrEqualTo(28);
    }

    @Test
    void spoilsInEveryWay() {
        var spoiler = new Spoiler(LOADED.orElseThrow(), VALIDATOR.orElseThrow());

        var faults = cases("OutputItem")
                .flatMap(instance -> spoiler.spoil(instance, 5).stream())
                .map(Spoiled::how)
                .collect(Collectors.toSet());

        assertThat(faults).isEqualTo(EnumSet.allOf(Fault.class));
    }
}
