package dev.counterpoint.gateway.api.conversations;

import static dev.counterpoint.gateway.api.conversations.ConversationServiceIT.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Turns that begin in a conversation while another one is under way.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class OneTurnAtATimeIT {
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final String RESPONSES = "/v1/responses";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private final Api caller = Api.newCaller("reasoning:summary");

    @Test
    void oneTurnIsMadeInItAtATime() throws Exception {
        // Given
        var id = conversation();
        FakeModels.next(List.of());
        caller.post(RESPONSES, request(id, "\"2+2?\"", ",\"background\":true"));
        var first = FakeModels.last();

        // When
        var second = caller.post(RESPONSES, request(id, "\"3+1?\"", ""));

        // Then it is refused in words that clients try again at, until the first has ended
        assertThat(second.status()).isEqualTo(400);
        assertThat(second.json().at("/error/code").asText()).isEqualTo("conversation_locked");
        assertThat(second.json().at("/error/param").asText()).isEqualTo("conversation");
        assertThat(second.header("x-should-retry")).isEqualTo("true");
        assertThat(FakeModels.last()).isSameAs(first);
        FOUR.forEach(first.generation()::say);
        assertThat(first.generation().isSettled()).isTrue();
        FakeModels.next(FOUR);
        assertThat(caller.post(RESPONSES, request(id, "\"3+1?\"", "")).status()).isEqualTo(200);
        assertThat(all(id)).containsExactly("2+2?", "4", "3+1?", "4");
    }

    @Test
    void ofManyTurnsThatBeginAtOnceEachKnowsAllThatCameBefore() throws Exception {
        // Given
        var id = conversation();
        int turns = 12;
        for (int i = 0; i < turns; i++) {
            FakeModels.next(FOUR);
        }

        // When each tries until its turn has come
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = IntStream.range(0, turns)
                    .mapToObj(turn -> callers.submit(() -> {
                        var request = request(id, "\"turn " + turn + "\"", "");
                        Api.Answer answer;
                        do {
                            answer = caller.post(RESPONSES, request);
                        } while (answer.json().at("/error/code").asText().equals("conversation_locked"));
                        return answer.status();
                    }))
                    .toList();
            for (var one : asked) {
                assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(200);
            }
        }

        // Then
        var texts = all(id);
        assertThat(texts).hasSize(2 * turns);
        for (int i = 0; i < texts.size(); i += 2) {
            assertThat(texts.get(i)).startsWith("turn ");
            assertThat(texts.get(i + 1)).isEqualTo("4");
        }
        var prompt = FakeModels.last().submission().job().prompt();
        assertThat(prompt).hasSize(2 * turns - 1);
    }

    private String conversation() {
        return caller.post(CONVERSATIONS, "{}").json().path("id").asText();
    }

    /// The texts of all items, the oldest first.
    private List<String> all(String conversation) {
        return caller.get(CONVERSATIONS + "/" + conversation + "/items?order=asc&limit=100")
                .json()
                .findValuesAsText("text");
    }
}
