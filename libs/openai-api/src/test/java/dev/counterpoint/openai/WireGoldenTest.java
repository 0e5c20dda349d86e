package dev.counterpoint.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.WireTypes.Golden;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.Annotation;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputContent;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.Tool;
import dev.counterpoint.openai.responses.ToolChoice;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireGoldenTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void isReadAsItsRecordAndWrittenAsItWas(Golden golden) {
        var json = WireJson.parse(golden.bytes());

        var value = WireJson.read(json, golden.root());

        assertThat(value).isInstanceOf(golden.leaf());
        assertThat(WireJson.parse(WireJson.writeBytes(value))).isEqualTo(json);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("leavesThatShowAll")
    void showsEveryMemberOfItsRecords(Golden golden) {
        var value = WireJson.read(golden.bytes(), golden.root());

        assertThat(Member.of(value, WireJson.parse(golden.bytes())))
                .filteredOn(member -> !member.others() && !member.place().elsewhere() && member.missing())
                .extracting(Member::path)
                .allMatch(path -> path.endsWith("generate_summary")); // excluded by the summary beside it
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void readsWithoutWhatIsOptionalAndNamesWhatIsNot(Golden golden) {
        var json = WireJson.parse(golden.bytes());

        assertThat(Member.of(WireJson.read(json, golden.root()), json))
                .filteredOn(member -> !member.others() && !member.missing())
                .allSatisfy(member -> assertLeftOut(golden, json, member));
    }

    private static void assertLeftOut(Golden golden, JsonNode json, Member member) {
        var shorter = member.removedFrom(json);
        if (member.optional()) {
            var written = WireJson.tree(WireJson.read(shorter, golden.root())).at(member.pointer());
            assertThat(written.isTextual() ? written.textValue() : written.isNull() ? "" : written.toString())
                    .as(member.path())
                    .isEqualTo(member.fallback());
        } else {
            var problem = catchThrowableOfType(WireException.class, () -> WireJson.read(shorter, golden.root()));
            assertThat(problem).as(member.path()).isNotNull();
            assertThat(problem.param()).isEqualTo(member.path());
            assertThat(problem.code()).isEqualTo("missing_required_parameter");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void acceptsAMemberThatIsNewToIt(Golden golden) {
        if (WireJson.parse(golden.bytes()) instanceof ObjectNode json) {
            assertThat(WireJson.read(json.put("brand_new", 1), golden.root())).isInstanceOf(golden.leaf());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void keepsTheMembersThatAreNewToItWhereItsRecordsSaySo(Golden golden) {
        var json = WireJson.parse(golden.bytes());
        Member.of(WireJson.read(json, golden.root()), json)
                .filter(Member::others)
                .forEach(member -> ((ObjectNode) json.at(member.pointer().head()))
                        .putObject("brand_new")
                        .putNull("type"));

        var value = WireJson.read(json, golden.root());

        assertThat(WireJson.parse(WireJson.writeBytes(value))).isEqualTo(json);
    }

    /// Items and tools are handed on, so nothing within them may be lost.
    @ParameterizedTest(name = "{0}")
    @MethodSource("handedOn")
    void keepsWhatIsNewInAllOfAnItemOrTool(Golden golden) {
        var json = WireJson.parse(golden.bytes());
        var members = Member.of(WireJson.read(json, golden.root()), json).toList();
        var keepers = members.stream().filter(Member::others).map(Member::owner).collect(Collectors.toSet());

        assertThat(members.stream().map(Member::owner))
                .filteredOn(owner -> !owner.getName().startsWith(Logprob.class.getName()))
                .isSubsetOf(keepers);
    }

    /// The goldens hold one text and one sealed blob wherever reasoning may stand, and one secret wherever that may.
    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void keepsReasoningAndSecretsOutOfLogs(Golden golden) {
        var logged = "value=" + WireJson.read(golden.bytes(), golden.root());

        assertThat(logged).doesNotContain("The user says hello.", "c2VhbGVk", "sk-secret");
    }

    static Stream<Golden> goldens() {
        return WireTypes.goldens();
    }

    static Stream<Golden> handedOn() {
        return WireTypes.goldens()
                .filter(golden -> Set.of(
                                InputItem.class,
                                OutputItem.class,
                                InputContent.class,
                                OutputContent.class,
                                Annotation.class,
                                Tool.class,
                                ToolChoice.class)
                        .contains(golden.root()));
    }

    /// Of the events, those of the lifecycle show a response as it is then, so not all of its members.
    static Stream<Golden> leavesThatShowAll() {
        return WireTypes.goldens()
                .filter(golden -> !golden.leaf().getName().contains("Lifecycle")
                        && !golden.name().endsWith("response.output_item.added"));
    }
}
