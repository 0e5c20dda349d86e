package dev.counterpoint.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.openai.chat.ChatContent;
import dev.counterpoint.openai.chat.ChatMessage;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.ReasoningDetail;
import dev.counterpoint.openai.chat.ToolCall;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.Tool;
import dev.counterpoint.openai.responses.ToolChoice;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/// What real clients send beyond or beside the letter of the contract.
class RequestToleranceTest {
    @Test
    void readsAStringAsAString() {
        assertThat(response("{\"input\":\"hi\"}").input()).isEqualTo(new Input.Text("hi"));
    }

    @Test
    void readsAMessageThatDoesNotSayThatItIsOne() {
        assertThat(items("[{\"role\":\"developer\",\"content\":\"hi\"}]"))
                .containsExactly(
                        new InputItem.Message(null, MessageRole.DEVELOPER, new MessageContent.Text("hi"), null, null));
    }

    @Test
    void readsAReferenceThatDoesNotSayThatItIsOne() {
        assertThat(items("[{\"id\":\"rs_1\"},{\"type\":null,\"id\":\"rs_2\"}]"))
                .containsExactly(new InputItem.ItemReference("rs_1"), new InputItem.ItemReference("rs_2"));
    }

    @Test
    void takesReasoningBackWithoutIdAndWithoutContent() {
        assertThat(items("[{\"type\":\"reasoning\",\"summary\":[],\"content\":null,\"encrypted_content\":\"x\"}]"))
                .containsExactly(new InputItem.Reasoning(null, List.of(), null, "x", null));
    }

    @Test
    void keepsItemsPartsToolsAndChoicesThatItDoesNotKnow() {
        var request = response("""
                {"input":[{"type":"web_search_call","id":"ws_1"},
                          {"role":"user","content":[{"type":"input_image","image_url":"data:"}]}],
                 "tools":[{"type":"namespace","name":"n","tools":[]}],
                 "tool_choice":{"type":"mcp","server_label":"s"}}""");

        assertThat(request.input())
                .asInstanceOf(InstanceOfAssertFactories.type(Input.Items.class))
                .satisfies(input -> {
                    assertThat(input.items().getFirst()).isInstanceOf(InputItem.Unknown.class);
                    assertThat(input.items().getLast().toString()).contains("Unsupported", "input_image");
                });
        assertThat(request.tools()).singleElement().isInstanceOf(Tool.Unknown.class);
        assertThat(request.toolChoice()).isInstanceOf(ToolChoice.Unknown.class);
    }

    @Test
    void namesThePartThatItCannotRead() {
        var part = WireJson.read(WireJson.parse("{\"type\":\"input_audio\"}".getBytes(UTF_8)), InputContent.class);

        assertThat(part)
                .asInstanceOf(InstanceOfAssertFactories.type(InputContent.Unsupported.class))
                .extracting(InputContent.Unsupported::type)
                .isEqualTo("input_audio");
    }

    @Test
    void listsTheMembersThatItDoesNotKnow() {
        var request = response("{\"input\":\"x\",\"client_metadata\":{\"a\":1},\"moderation\":null,\"seed\":1}");

        assertThat(request.otherMembers()).containsOnlyKeys("client_metadata", "moderation", "seed");
    }

    @Test
    void takesNullForAbsentAndAnEmptyTextForNoWish() {
        var request = response("{\"input\":\"x\",\"text\":{},\"metadata\":null,\"tools\":null,\"stream\":null}");

        assertThat(request.metadata()).isNull();
        assertThat(request.streaming()).isFalse();
    }

    @Test
    void takesReasoningBackUnderAllThreeNames() {
        var request = chat("""
                {"model":"m","messages":[{"role":"assistant","content":null,"reasoning":"a","reasoning_content":"b",
                 "reasoning_details":[{"type":"reasoning.text","text":"c"},{"type":"reasoning.other"}],
                 "tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]}""");

        assertThat(request.messages())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.type(ChatMessage.Assistant.class))
                .satisfies(message -> {
                    assertThat(message.reasoning()).isEqualTo("a");
                    assertThat(message.reasoningContent()).isEqualTo("b");
                    assertThat(message.reasoningDetails())
                            .hasExactlyElementsOfTypes(ReasoningDetail.Text.class, ReasoningDetail.Unknown.class);
                    assertThat(message.toolCalls()).hasExactlyElementsOfTypes(ToolCall.Function.class);
                });
    }

    @Test
    void tellsAChatTextFromChatParts() {
        var request = chat("""
                {"model":"m","messages":[{"role":"user","content":"a"},
                 {"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{}}]}]}""");

        assertThat(request.messages())
                .extracting(message -> ((ChatMessage.User) message).content().getClass())
                .isEqualTo(List.of(ChatContent.Text.class, ChatContent.Parts.class));
    }

    private static List<InputItem> items(String json) {
        return ((Input.Items) Objects.requireNonNull(
                        response("{\"input\":" + json + "}").input()))
                .items();
    }

    private static CreateResponse response(String json) {
        return WireJson.read(json.getBytes(UTF_8), CreateResponse.class);
    }

    private static ChatRequest chat(String json) {
        return WireJson.read(json.getBytes(UTF_8), ChatRequest.class);
    }
}
