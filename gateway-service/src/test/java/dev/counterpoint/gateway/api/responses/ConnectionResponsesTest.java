package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConnectionResponsesTest {
    private final ConnectionResponses known = new ConnectionResponses(400);

    @Test
    void theItemsOfAKnownResponseStandBeforeTheOwnOnes() {
        // Given
        known.put(
                "resp_1",
                json("{'input':'one'}"),
                json("{'output':[{'id':'msg_1'}]}").path("output"));
        var request = json("{'input':[{'id':'msg_2'}],'previous_response_id':'resp_1','model':'m'}");
        // When
        var previous = known.unfold(request);
        // Then
        assertThat(previous).contains("resp_1");
        assertThat(request)
                .isEqualTo(json("{'input':[{'type':'message','role':'user','content':'one'},{'id':'msg_1'},"
                        + "{'id':'msg_2'}],'model':'m'}"));
    }

    @Test
    void aResponseAfterAStoredOneIsContinuedFromThere() {
        // Given
        known.put(
                "resp_2",
                json("{'input':'two','previous_response_id':'resp_1'}"),
                json("{'o':[]}").path("o"));
        var request = json("{'previous_response_id':'resp_2'}");
        // When
        known.unfold(request);
        // Then
        assertThat(request.path("previous_response_id").asText()).isEqualTo("resp_1");
        assertThat(request.path("input")).hasSize(1);
    }

    @Test
    void whatIsNotKnownStaysAsItIs() {
        // Given
        var request = json("{'input':'one','previous_response_id':'resp_1'}");
        // When
        var previous = known.unfold(request);
        // Then
        assertThat(previous).isEmpty();
        assertThat(request).isEqualTo(json("{'input':'one','previous_response_id':'resp_1'}"));
    }

    @Test
    void theOldestAreForgottenWhereThereIsNoRoom() {
        // When
        for (int i = 0; i < 4; i++) {
            known.put(
                    "resp_" + i,
                    json("{'input':'%s'}".formatted("x".repeat(100))),
                    json("{'o':[]}").path("o"));
        }
        // Then
        assertThat(known.unfold(json("{'previous_response_id':'resp_1'}"))).isEmpty();
        assertThat(known.unfold(json("{'previous_response_id':'resp_3'}"))).isPresent();
    }

    @Test
    void aResponseThatComesAgainTakesItsRoomOnce() {
        // Given
        known.put("resp_0", json("{'input':'one'}"), json("{'o':[]}").path("o"));
        // When
        for (int i = 0; i < 10; i++) {
            known.put("resp_1", json("{'input':'one'}"), json("{'o':[]}").path("o"));
        }
        // Then
        assertThat(known.unfold(json("{'previous_response_id':'resp_0'}"))).isPresent();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) WireJson.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
