package dev.counterpoint.openai.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.Leaves;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.Tool;
import dev.counterpoint.testkit.contract.Contract;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What another implementation of the whole Responses API told of itself where it differs from the contract.
/// Each of its lines is a test: it is otherwise here, or the contract has since overruled the line, and then the
/// contract says so.
class KnownShortcomingsTest {
    private static final Optional<Contract> CONTRACT = Contract.load();

    /// Reads `json` as a member of a family, by a record and not by what keeps unknown kinds, and asserts that
    /// all of it is written again.
    private static <T> T kept(Class<T> family, String json) {
        var tree = tree(json);
        var value = WireJson.read(tree, family);
        if (family.isSealed()) {
            assertThat(Leaves.leafFor(family, tree)).isEqualTo(value.getClass());
        }
        assertThat(Differences.between(tree, WireJson.tree(value))).isEmpty();
        return value;
    }

    private static JsonNode tree(String json) {
        return WireJson.parse(json.replace('\'', '"').getBytes(UTF_8));
    }

    private static JsonNode schema(String name) {
        assumeTrue(CONTRACT.isPresent());
        return CONTRACT.orElseThrow().at(Contract.pointer(name));
    }

    @Test
    void theDeprecatedUserIsStillReadAndWritten() {
        assertThat(kept(CreateResponse.class, "{'model':'m','input':'hi','user':'u1'}")
                        .user())
                .isEqualTo("u1");
    }

    @Test
    void contextManagementOfARequestIsThere() {
        kept(CreateResponse.class, "{'context_management':[{'type':'compaction','compact_threshold':1000}]}");
    }

    @Nested
    class InputAudio {
        @Test
        void isAPartOfInput() {
            kept(InputContent.class, "{'type':'input_audio','input_audio':{'data':'AAAA','format':'wav'}}");
        }

        @Test
        void isNoLongerOneForTheContract() {
            assertThat(schema("InputContent").path("oneOf"))
                    .extracting(form -> form.path("$ref").textValue().replaceFirst(".*/", ""))
                    .containsExactly("InputTextContent", "InputImageContent", "InputFileContent");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'action':'edit'",
                "'background':'transparent'",
                "'input_fidelity':'high'",
                "'input_image_mask':{'image_url':'data:image/png;base64,AAAA','file_id':'file_1'}",
                "'partial_images':2"
            })
    void theImageToolHasTheMember(String member) {
        kept(Tool.class, "{'type':'image_generation'," + member + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"'never'", "{'always':{'tool_names':['drop'],'read_only':false},'never':{'read_only':true}}"})
    void theMcpToolSaysWhatNeedsApproval(String approval) {
        kept(Tool.class, "{'type':'mcp','server_label':'s','require_approval':" + approval + "}");
    }

    @Nested
    class CallsThatComeBack {
        private static final String SHELL = "'type':'shell_call','call_id':'c','action':{'commands':['ls']}";
        private static final String PATCH = "'type':'apply_patch_call','call_id':'c','status':'completed',"
                + "'operation':{'type':'delete_file','path':'a.txt'}";

        @Test
        void needNoIdAndAShellCallNoStatus() {
            kept(InputItem.class, "{" + SHELL + "}");
            kept(InputItem.class, "{" + SHELL + ",'id':'sh_1','status':'completed'}");
            kept(InputItem.class, "{" + PATCH + "}");
        }

        @Test
        void ofAPatchHaveAStatusByNow() {
            assertThat(schema("ApplyPatchToolCallItemParam").path("required").toString())
                    .contains("\"status\"");
        }

        @Test
        void haveNoCreatorInTheContract() {
            assertThat(schema("FunctionShellCallItemParam").path("properties").has("created_by"))
                    .isFalse();
            assertThat(schema("ApplyPatchToolCallItemParam").path("properties").has("created_by"))
                    .isFalse();
        }
    }

    @Nested
    class OutputsThatTheClientSends {
        @Test
        void ofAFunctionHaveAStatus() {
            kept(InputItem.class, "{'type':'function_call_output','call_id':'c','output':'42','status':'completed'}");
        }

        @Test
        void ofAComputerHaveAcknowledgedChecksAndAStatus() {
            kept(
                    InputItem.class,
                    "{'type':'computer_call_output','call_id':'c','status':'completed',"
                            + "'output':{'type':'computer_screenshot','file_id':'file_1'},"
                            + "'acknowledged_safety_checks':[{'id':'s','code':'c','message':'m'}]}");
        }

        @Test
        void ofALocalShellNeedNoStatus() {
            kept(InputItem.class, "{'type':'local_shell_call_output','id':'l','call_id':'c','output':'ok'}");
        }

        @Test
        void ofALocalShellHaveACallIdByNow() {
            assertThat(schema("LocalShellToolCallOutput").path("required").toString())
                    .contains("\"call_id\"")
                    .doesNotContain("\"status\"");
        }

        @Test
        void ofAShellHaveAStatusAndNeedNoId() {
            var output = "'type':'shell_call_output','call_id':'c',"
                    + "'output':[{'stdout':'a','stderr':'','outcome':{'type':'exit','exit_code':0}}]";
            kept(InputItem.class, "{" + output + "}");
            kept(InputItem.class, "{" + output + ",'status':'completed'}");
            assertThat(schema("FunctionShellCallOutputItemParam")
                            .path("properties")
                            .has("created_by"))
                    .isFalse();
        }

        @Test
        void ofAPatchHaveAnOutput() {
            kept(
                    InputItem.class,
                    "{'type':'apply_patch_call_output','call_id':'c','status':'failed','output':'no such file'}");
        }
    }

    /// `TypeMapTest` says the same of every other member: none of them is untyped.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'web_search_call','id':'w','status':'completed','action':{'type':'find_in_page',"
                        + "'url':'https://example.com/','pattern':'x'}}",
                "{'type':'computer_call','id':'c','call_id':'c','pending_safety_checks':[],'status':'completed',"
                        + "'action':{'type':'click','button':'left','x':1,'y':2}}",
                "{'type':'file_search_call','id':'f','status':'completed','queries':['q'],'results':["
                        + "{'file_id':'file_1','text':'t','filename':'a.txt','score':0.5,"
                        + "'attributes':{'year':2026,'draft':true,'kind':'x'}}]}"
            })
    void actionsAndResultsOfToolsAreTyped(String item) {
        var value = kept(OutputItem.class, item);

        assertThat(value.getClass().getRecordComponents())
                .filteredOn(component -> Stream.of("action", "results").anyMatch(component.getName()::equals))
                .allSatisfy(component -> assertThat(component.getGenericType().getTypeName())
                        .startsWith(
                                component.getName().equals("results")
                                        ? "java.util.List<dev.counterpoint"
                                        : "dev.counterpoint"));
    }

    @Test
    void aMessageNeedNotSayThatItIsOne() {
        assertThat(kept(InputItem.class, "{'role':'user','content':'hi'}")).isInstanceOf(InputItem.Message.class);
    }
}
