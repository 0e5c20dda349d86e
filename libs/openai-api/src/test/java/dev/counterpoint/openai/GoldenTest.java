package dev.counterpoint.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.WireTypes.Golden;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenTest {
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

        assertThat(Member.of(value, WireJson.parse(golden.bytes()))).noneMatch(Member::missing);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void readsWithoutWhatIsOptionalAndNamesWhatIsNot(Golden golden) {
        var json = WireJson.parse(golden.bytes());

        assertThat(Member.of(WireJson.read(json, golden.root()), json))
                .filteredOn(member -> !member.missing())
                .allSatisfy(member -> assertLeftOut(golden, json, member));
    }

    private static void assertLeftOut(Golden golden, JsonNode json, Member member) {
        var shorter = member.removedFrom(json);
        if (member.optional()) {
            var written = WireJson.tree(WireJson.read(shorter, golden.root()));
            assertThat(written.at(member.pointer()).isMissingNode()
                            || written.at(member.pointer()).isNull())
                    .as(member.path())
                    .isTrue();
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

    /// The goldens hold one text and one sealed blob wherever reasoning may stand.
    @ParameterizedTest(name = "{0}")
    @MethodSource("goldens")
    void keepsReasoningOutOfLogs(Golden golden) {
        var logged = "value=" + WireJson.read(golden.bytes(), golden.root());

        assertThat(logged).doesNotContain("The user says hello.", "c2VhbGVk");
    }

    static Stream<Golden> goldens() {
        return WireTypes.goldens();
    }

    /// Of the events, those of the lifecycle show a response as it is then, so not all of its members.
    static Stream<Golden> leavesThatShowAll() {
        return WireTypes.goldens()
                .filter(golden -> !golden.leaf().getName().contains("Lifecycle")
                        && !golden.name().endsWith("response.output_item.added"));
    }
}
