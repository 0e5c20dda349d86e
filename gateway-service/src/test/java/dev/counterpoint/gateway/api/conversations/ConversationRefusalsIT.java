package dev.counterpoint.gateway.api.conversations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is wrong with a request about a conversation is told by name.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ConversationRefusalsIT {
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final String RESPONSES = "/v1/responses";

    private final Api caller = Api.newCaller("reasoning:summary");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "previous_response_id|'conversation':'ID','previous_response_id':'resp_1'|conversation",
                "store|'conversation':{'id':'ID'},'store':false|conversation",
                "unknown|'conversation':'conv_none'|conversation"
            })
    void aRequestThatCannotBePartOfItIsRefusedByName(String rule) {
        var parts = rule.replace('\'', '"').split("\\|");
        var members = parts[1].replace("ID", newConversation());

        var answer = caller.post(RESPONSES, "{\"model\":\"gpt-oss-20b\",\"input\":\"x\"," + members + "}");

        assertThat(answer.status()).isIn(400, 404);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(parts[2]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'items':[{'role':'user','content':[{'type':'input_image','image_url':'x'}]}]}|items[0].content[0]",
                "{'items':[{'type':'item_reference','id':'msg_1'}]}|items[0].type",
                "{'items':[{'type':'function_call_output','output':'x'}]}|items[0].call_id",
                "{'items':[{'type':'function_call_output','call_id':'c','output':'x'}]}|items",
                "{'items':[{'type':'function_call','call_id':'c','name':'f','arguments':'{}'},"
                        + "{'type':'custom_tool_call','call_id':'c','name':'f','input':''}]}|items",
                "{'items':[{'id':'msg_1','role':'user','content':'a'},{'id':'msg_1','role':'user','content':'b'}]}"
                        + "|items",
                "{'items':[]}|items"
            })
    void itemsThatNoModelHereReadsAreRefusedByName(String rule) {
        var parts = rule.replace('\'', '"').split("\\|");

        var answer = caller.post(items(newConversation()), parts[0]);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(parts[1]);
    }

    @Test
    void itemsOfATurnThatComeAgainAreRefusedAndAddNothing() {
        // Given a turn that ended in a call
        var id = newConversation();
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},{"message":1,"channel":"commentary","to":"functions.add","text":"{}","closed":true},
                 {"finish":"STOP"}]"""));
        var turn = caller.post(RESPONSES, ConversationServiceIT.request(id, "\"2+2?\"", ""))
                .json();
        var call = turn.at("/output/1");
        var result = "{\"type\":\"function_call_output\",\"call_id\":\"%s\",\"output\":\"4\"}"
                .formatted(call.path("call_id").asText());

        // When
        var again = caller.post(RESPONSES, ConversationServiceIT.request(id, "[" + call + "," + result + "]", ""));
        var chained = caller.post(
                RESPONSES,
                "{\"model\":\"gpt-oss-20b\",\"previous_response_id\":\"%s\",\"input\":[%s,%s]}"
                        .formatted(turn.path("id").asText(), turn.at("/output/0"), result));
        var added = caller.post(items(id), "{\"items\":[" + call + "]}");

        // Then
        for (var refused : List.of(again, chained, added)) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().at("/error/message").asText()).startsWith("Duplicate item found with id ");
        }
        assertThat(caller.get(items(id)).json().path("data")).hasSize(3);
    }

    @Test
    void aResultIsAddedOnceAndToItsCallAlone() {
        // Given
        var id = newConversation();
        caller.post(
                items(id),
                "{\"items\":[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}]}");

        // When
        var first = caller.post(items(id), "{\"items\":[{\"type\":\"function_call_output\",\"output\":\"1\"}]}");
        var second = caller.post(
                items(id), "{\"items\":[{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"2\"}]}");

        // Then
        assertThat(first.json().at("/data/0/call_id").asText()).isEqualTo("c");
        assertThat(second.status()).isEqualTo(400);
        assertThat(second.json().at("/error/param").asText()).isEqualTo("items");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "limit=x", "order=up", "after=msg_x", "include[]=all"})
    void aWrongPageIsRefusedByName(String query) {
        var answer = caller.get(items(newConversation()) + "?" + query.replace("[]", "%5B%5D"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(query.split("\\W")[0]);
    }

    private String newConversation() {
        return caller.post(CONVERSATIONS, "{}").json().path("id").asText();
    }

    private static String items(String conversation) {
        return CONVERSATIONS + "/" + conversation + "/items";
    }
}
