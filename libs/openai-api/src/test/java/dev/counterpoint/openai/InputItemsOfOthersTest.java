package dev.counterpoint.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What another implementation of these types says that it lacks, or has other than the contract.
class InputItemsOfOthersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'shell_call','call_id':'c',"
                        + "'action':{'commands':['ls'],'timeout_ms':null,'max_output_length':null}}",
                "{'type':'shell_call_output','call_id':'c','output':[]}",
                "{'type':'apply_patch_call','call_id':'c','status':'completed',"
                        + "'operation':{'type':'delete_file','path':'a'}}",
                "{'type':'apply_patch_call_output','call_id':'c','status':'completed'}",
                "{'type':'function_call_output','call_id':'c','output':'1'}",
                "{'type':'computer_call_output','call_id':'c','output':{'type':'computer_screenshot','file_id':'f'}}",
                "{'type':'local_shell_call_output','id':'c','output':'x'}"
            })
    void nothingIsAskedForThatACallerMayLeaveOut(String item) {
        assertThat(written(item, InputItem.class)).isEqualTo(tree(item));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'shell_call_output','call_id':'c','output':[],'status':'incomplete'}",
                "{'type':'apply_patch_call_output','call_id':'c','status':'failed','output':'No such file.'}",
                "{'type':'function_call_output','call_id':'c','output':'1','status':'completed'}",
                "{'type':'computer_call_output','call_id':'c','output':{'type':'computer_screenshot','file_id':'f'},"
                        + "'acknowledged_safety_checks':[{'id':'s'}],'status':'completed'}"
            })
    void whatACallerMaySayIsReadAndNotOnlyKept(String item) {
        assertThat(WireJson.read(tree(item), InputItem.class).toString())
                .doesNotContain("Unknown")
                .doesNotContainPattern("others=\\{[^}]");
        assertThat(written(item, InputItem.class)).isEqualTo(tree(item));
    }

    @Test
    void aCallersItemNamesNobodyWhoCreatedIt() {
        for (var type : InputItem.Hosted.class.getPermittedSubclasses()) {
            if (type.isRecord()) {
                assertThat(type.getRecordComponents())
                        .extracting(component -> component.getName())
                        .doesNotContain("createdBy");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'type':'apply_patch_call','call_id':'c','operation':{'type':'delete_file','path':'a'}} | status
            {'type':'apply_patch_call_output','call_id':'c'} | status
            {'type':'shell_call','call_id':'c','action':{}} | action.commands
            {'type':'computer_call_output','call_id':'c','output':{}} | output.type
            {'type':'web_search_call','id':'w','status':'completed','action':{'type':'find_in_page','url':'u'}} \
            | action.pattern
            {'type':'file_search_call','id':'f','status':'completed','queries':[],'results':[{'attributes':{'a':{}}}]} \
            | results[0].attributes.a
            """)
    void anActionOrAResultThatIsWrongIsRefusedByItsPath(String item, String path) {
        assertThatThrownBy(() -> WireJson.read(tree(item), InputItem.class))
                .isInstanceOfSatisfying(
                        WireException.class,
                        refusal -> assertThat(refusal.param()).isEqualTo(path));
    }

    @Test
    void audioIsAPart() {
        var part = WireJson.read(
                tree("{'type':'input_audio','input_audio':{'data':'UklGRg==','format':'wav'}}"), InputContent.class);

        assertThat(part).isInstanceOf(InputContent.InputAudio.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'image_generation','background':'opaque','input_fidelity':'low',"
                        + "'input_image_mask':{'file_id':'f'},'partial_images':3,'action':'generate'}",
                "{'type':'mcp','server_label':'s','require_approval':'never'}",
                "{'type':'mcp','server_label':'s',"
                        + "'require_approval':{'always':{'tool_names':['a']},'never':{'read_only':true}}}"
            })
    void theToolsHaveAllTheirMembers(String tool) {
        assertThat(written(tool, Tool.class)).isEqualTo(tree(tool));
        assertThat(WireJson.read(tree(tool), Tool.class).type())
                .isEqualTo(tree(tool).path("type").textValue());
    }

    private static <T> JsonNode written(String text, Class<T> family) {
        return WireJson.parse(WireJson.writeBytes(WireJson.read(tree(text), family)));
    }

    private static JsonNode tree(String text) {
        return WireJson.parse(text.replace('\'', '"').getBytes(UTF_8));
    }
}
