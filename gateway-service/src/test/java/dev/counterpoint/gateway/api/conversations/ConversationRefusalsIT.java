package dev.counterpoint.gateway.api.conversations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
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
                "{'items':[]}|items"
            })
    void itemsThatNoModelHereReadsAreRefusedByName(String rule) {
        var parts = rule.replace('\'', '"').split("\\|");

        var answer = caller.post(items(newConversation()), parts[0]);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(parts[1]);
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
