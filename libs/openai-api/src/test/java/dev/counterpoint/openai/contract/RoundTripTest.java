package dev.counterpoint.openai.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import dev.counterpoint.testkit.contract.Instance;
import dev.counterpoint.testkit.contract.InstanceGenerator;
import dev.counterpoint.testkit.contract.Spoiled;
import dev.counterpoint.testkit.contract.Spoiled.Fault;
import dev.counterpoint.testkit.contract.Spoiler;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Generated values of every schema of the contract that is wholly typed, through our types and back. A failure names
/// the schema and the seed; `-Dcontract.cases` sets how many seeds there are.
class RoundTripTest {
    private static final int CASES = Integer.getInteger("contract.cases", 100);
    private static final int SPOILED_CASES = Math.max(1, CASES / 4);
    private static final int FAULTS = 3;

    private static final Optional<Contract> LOADED = Contract.load();
    private static final Optional<ContractValidator> VALIDATOR = LOADED.map(ContractValidator::new);

    /// A schema of the contract, and a type that its values are read as.
    record Pair(String schema, Class<?> type) {
        Stream<Instance> instances(int count) {
            var generator = new InstanceGenerator(LOADED.orElseThrow(), VALIDATOR.orElseThrow());
            return LongStream.range(0, count)
                    .mapToObj(seed -> generator.valid(schema, seed))
                    .filter(instance -> !instance.json().isNull()) // null is for the member that holds it
                    .filter(instance -> !namesItsSummaryTwice(instance.json()));
        }

        JsonNode written(JsonNode json) {
            return WireJson.parse(WireJson.writeBytes(WireJson.read(json, type)));
        }

        /// What is not as it should be when `json` went through the type.
        List<String> violations(JsonNode json) {
            try {
                var written = written(json);
                var differences = Differences.between(json, written);
                return differences.isEmpty() && !written.equals(json)
                        ? VALIDATOR.orElseThrow().violations(schema, written)
                        : differences;
            } catch (WireException refused) {
                return List.of(refused.message());
            }
        }

        @Override
        public String toString() {
            return schema + " as " + type.getName().replaceFirst(".*\\.", "").replace('$', '.');
        }
    }

    /// The contract lets both names of the reasoning's summary stand side by side; we refuse that.
    static boolean namesItsSummaryTwice(JsonNode json) {
        return json.findParents("generate_summary").stream()
                .anyMatch(options -> options.hasNonNull("generate_summary") && options.hasNonNull("summary"));
    }

    /// All pairs below which nothing is missing.
    static Stream<Pair> pairs() {
        var contract = LOADED.orElseThrow();
        var map = new TypeMap(contract, Bodies.TYPES);
        return map.types().entrySet().stream()
                .filter(entry -> Collections.disjoint(contract.below(entry.getKey()), map.incomplete()))
                .flatMap(entry -> entry.getValue().stream()
                        .filter(type -> type.getPackageName().startsWith("dev.counterpoint"))
                        .map(type -> new Pair(entry.getKey(), type)));
    }

    static Stream<Pair> equalPairs() {
        return pairs().filter(pair -> !Known.of("unequal").contains(pair.toString()));
    }

    static Stream<Pair> unequalPairs() {
        return pairs().filter(pair -> Known.of("unequal").contains(pair.toString()));
    }

    @BeforeAll
    static void skipWithoutContract() {
        assumeTrue(LOADED.isPresent());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("equalPairs")
    void writesWhatItRead(Pair pair) {
        pair.instances(CASES)
                .forEach(instance -> assertThat(pair.violations(instance.json()))
                        .as("%s: %s", instance, instance.json())
                        .isEmpty());
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("unequalPairs")
    void writesOtherThanItReadWhereWeKnowThatItDoes(Pair pair) {
        assertThat(pair.instances(CASES))
                .anySatisfy(
                        instance -> assertThat(pair.violations(instance.json())).isNotEmpty());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("equalPairs")
    void refusesWhatBreaksTheSchemaWhereItBreaks(Pair pair) {
        var spoiler = new Spoiler(LOADED.orElseThrow(), VALIDATOR.orElseThrow());

        pair.instances(SPOILED_CASES)
                .flatMap(instance -> spoiler.spoil(instance, FAULTS).stream())
                .filter(spoiled -> !namesItsSummaryTwice(spoiled.json()))
                .forEach(spoiled -> assertRefused(pair, spoiled));
    }

    /// Taken as they came are a name that is not in an open set, another of the forms that the type
    /// stands for, and nothing where null may stand.
    private static void assertRefused(Pair pair, Spoiled spoiled) {
        try {
            var written = pair.written(spoiled.json());
            if (Known.of("otherwise").contains(spoiled.rule())) {
                return;
            }
            assertThat(spoiled.how() == Fault.RENAMED
                            || spoiled.path().isEmpty()
                            || spoiled.how() == Fault.REMOVED && mayBeNull(spoiled))
                    .as("%s: %s is not refused, and is written as %s", spoiled, spoiled.rule(), written)
                    .isTrue();
            assertThat(Differences.between(spoiled.json(), written))
                    .as("%s: %s", spoiled, spoiled.json())
                    .isEmpty();
        } catch (WireException refused) {
            var place = refused.param() == null ? "" : refused.param();
            assertThat(place.startsWith(spoiled.path()) || Known.of("otherwise").contains(spoiled.rule()))
                    .as("%s: %s of %s", spoiled, refused.message(), spoiled.rule())
                    .isTrue();
        }
    }

    private static boolean mayBeNull(Spoiled spoiled) {
        var json = spoiled.instance().json().deepCopy();
        ((ObjectNode) json.at(spoiled.place().head()))
                .putNull(spoiled.place().last().getMatchingProperty());
        return VALIDATOR
                .orElseThrow()
                .violations(spoiled.instance().schema(), json)
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("equalPairs")
    void takesAMemberThatItDoesNotKnowAndKeepsItWhereItSaysSo(Pair pair) {
        assertThat(pair.instances(SPOILED_CASES)
                        .filter(instance -> instance.json().isObject()))
                .allSatisfy(instance -> {
                    var more = ((ObjectNode) instance.json().deepCopy()).put("brand_new", instance.seed());

                    var read = WireJson.read(more, pair.type());

                    if (keeps(read.getClass())) {
                        assertThat(WireJson.tree(read).path("brand_new")).isEqualTo(more.path("brand_new"));
                    }
                });
    }

    private static boolean keeps(Class<?> type) {
        return type.isRecord()
                && Stream.of(type.getRecordComponents())
                        .anyMatch(component -> component.getType() == Others.class
                                || component.getAccessor().isAnnotationPresent(JsonAnySetter.class)
                                || component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                                        && keeps(component.getType()));
    }
}
