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
                asked(json("{'input':'one'}")),
                json("{'output':[{'id':'msg_1'}]}").path("output"));
        var request = json("{'input':[{'id':'msg_2'}],'previous_response_id':'resp_1','model':'m'}");
        // When
        var previous = known.unfold(request);
        // Then
        assertThat(previous).isEqualTo("resp_1");
        assertThat(request)
                .isEqualTo(json("{'input':[{'type':'message','role':'user','content':'one'},{'id':'msg_1'},"
                        + "{'id':'msg_2'}],'model':'m'}"));
    }

    @Test
    void aResponseAfterAStoredOneIsContinuedFromThere() {
        // Given
        known.put(
                "resp_2",
                asked(json("{'input':'two','previous_response_id':'resp_1'}")),
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
        assertThat(previous).isNull();
        assertThat(request).isEqualTo(json("{'input':'one','previous_response_id':'resp_1'}"));
    }

    @Test
    void theOldestAreForgottenWhereThereIsNoRoom() {
        // When
        for (int i = 0; i < 4; i++) {
            known.put(
                    "resp_" + i,
                    asked(json("{'input':'%s'}".formatted("x".repeat(100)))),
                    json("{'o':[]}").path("o"));
        }
        // Then
        assertThat(known.unfold(json("{'previous_response_id':'resp_1'}"))).isNull();
        assertThat(known.unfold(json("{'previous_response_id':'resp_3'}"))).isNotNull();
    }

    @Test
    void aResponseThatComesAgainTakesItsRoomOnce() {
        // Given
        known.put("resp_0", asked(json("{'input':'one'}")), json("{'o':[]}").path("o"));
        // When
        for (int i = 0; i < 10; i++) {
            known.put("resp_1", asked(json("{'input':'one'}")), json("{'o':[]}").path("o"));
        }
        // Then
        assertThat(known.unfold(json("{'previous_response_id':'resp_0'}"))).isNotNull();
    }

    @Test
    void noMoreThanSixtyFourAreKnown() {
        // When
        var none = json("{'o':[]}").path("o");
        var large = new ConnectionResponses(1_000_000);
        for (int i = 0; i <= 64; i++) {
            large.put("resp_" + i, asked(json("{}")), none);
        }
        // Then
        assertThat(large.unfold(json("{'previous_response_id':'resp_0'}"))).isNull();
        assertThat(large.unfold(json("{'previous_response_id':'resp_1'}"))).isNotNull();
    }

    @Test
    void aRequestInAConversationStaysAsItIs() {
        // Given
        known.put("resp_1", asked(json("{'input':'one'}")), json("{'o':[]}").path("o"));
        // When
        var previous = known.unfold(json("{'previous_response_id':'resp_1','conversation':'conv_1'}"));
        // Then
        assertThat(previous).isNull();
    }

    private static ConnectionResponses.Known asked(ObjectNode request) {
        return ConnectionResponses.Known.of(request);
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) WireJson.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
