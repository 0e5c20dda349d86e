package dev.counterpoint.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.openai.chat.ChatContent;
import dev.counterpoint.openai.chat.ChatMessage;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.ReasoningDetail;
import dev.counterpoint.openai.chat.ToolCall;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.ResponseError;
import dev.counterpoint.openai.responses.ResponseErrorCode;
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
                .containsExactly(new InputItem.Message(MessageRole.DEVELOPER, new MessageContent.Text("hi")));
    }

    @Test
    void readsAReferenceThatDoesNotSayThatItIsOne() {
        assertThat(items("[{\"id\":\"rs_1\"},{\"type\":null,\"id\":\"rs_2\"}]"))
                .containsExactly(
                        new InputItem.ItemReference("rs_1", Others.NONE),
                        new InputItem.ItemReference("rs_2", Others.NONE));
    }

    @Test
    void doesNotTakeAnItemThatForgotItsTypeForAReference() {
        assertThatThrownBy(() -> items("[{\"id\":\"fco_1\",\"call_id\":\"c\",\"output\":\"1\"}]"))
                .isInstanceOfSatisfying(
                        WireException.class,
                        refusal -> assertThat(refusal.param()).isEqualTo("input[0].type"));
    }

    @Test
    void takesReasoningBackWithoutIdAndWithoutContent() {
        assertThat(items("[{\"type\":\"reasoning\",\"summary\":[],\"content\":null,\"encrypted_content\":\"x\"}]"))
                .containsExactly(new InputItem.Reasoning(null, List.of(), null, "x", null, Others.NONE));
    }

    @Test
    void keepsItemsPartsToolsAndChoicesThatItDoesNotKnow() {
        var request = response("""
                {"input":[{"type":"dream","id":"dr_1"},
                          {"role":"user","content":[{"type":"input_smell","strength":3}]}],
                 "tools":[{"type":"telescope"}],
                 "tool_choice":{"type":"telescope"}}""");

        assertThat(request.input())
                .asInstanceOf(InstanceOfAssertFactories.type(Input.Items.class))
                .satisfies(input -> {
                    assertThat(input.items().getFirst()).isInstanceOf(InputItem.Unknown.class);
                    assertThat(input.items().getLast().toString()).contains("Unknown", "input_smell");
                });
        assertThat(request.tools()).singleElement().isInstanceOf(Tool.Unknown.class);
        assertThat(request.toolChoice()).isInstanceOf(ToolChoice.Unknown.class);
    }

    @Test
    void namesThePartThatItCannotRead() {
        var part = WireJson.read(WireJson.parse("{\"type\":\"input_smell\"}".getBytes(UTF_8)), InputContent.class);

        assertThat(part)
                .asInstanceOf(InstanceOfAssertFactories.type(InputContent.Unknown.class))
                .extracting(InputContent.Unknown::type)
                .isEqualTo("input_smell");
    }

    @Test
    void keepsWordsThatAreNewToIt() {
        var call = items("[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\","
                + "\"status\":\"postponed\"}]");

        assertThat(call).singleElement().extracting(WireJson::write).asString().contains("\"status\":\"postponed\"");
    }

    @Test
    void showsAnImageInTheDetailThatTheModelLikesUnlessToldOtherwise() {
        var part = WireJson.read("{\"type\":\"input_image\",\"file_id\":\"f\"}".getBytes(UTF_8), InputContent.class);

        assertThat(WireJson.tree(part).path("detail").asText()).isEqualTo("auto");
    }

    @Test
    void listsTheMembersThatItDoesNotKnow() {
        var request = response("{\"input\":\"x\",\"client_metadata\":{\"a\":1},\"modified\":null,\"seed\":1}");

        assertThat(request.otherMembers()).containsOnlyKeys("client_metadata", "modified", "seed");
    }

    @Test
    void takesNullForAbsentAndAnEmptyTextForNoWish() {
        var request = response("{\"input\":\"x\",\"text\":{},\"metadata\":null,\"tools\":null,\"stream\":null}");

        assertThat(request.metadata()).isNull();
        assertThat(request.streaming()).isFalse();
    }

    @Test
    void saysThatNoSummaryIsAskedFor() {
        assertThat(WireJson.write(response("{\"reasoning\":{}}"))).contains("\"summary\":null");
    }

    @Test
    void keepsAReasonToFailThatIsNewToIt() {
        var json = "{\"code\":\"solar_flare\",\"message\":\"m\"}";

        var error = WireJson.read(json.getBytes(UTF_8), ResponseError.class);

        assertThat(error.known()).isEmpty();
        assertThat(WireJson.write(error)).isEqualTo(json);
        assertThat(ResponseError.of(ResponseErrorCode.BIO_POLICY, "m").known()).hasValue(ResponseErrorCode.BIO_POLICY);
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
                 {"role":"user","content":[{"type":"text","text":"a"},
                  {"type":"image_url","image_url":{"url":"data:"}}]}]}""");

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
