package dev.counterpoint.gateway.api.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ResponseStory;
import dev.counterpoint.gateway.store.StoredStories;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `GET /admin/responses/{id}` once the frames are gone.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class StoriesResourceIT {
    private static final String SCRIPT = """
            [{"message":0,"channel":"final"},{"message":0,"text":"secret 4","closed":true},{"finish":"STOP"}]""";

    private final Api caller = Api.ofTenant(Api.newTenant(""), "reasoning:summary");

    @Inject
    StoredStories stories;

    @Test
    void theRecordComesFirst() {
        // Given
        var id = ask();
        var told = new ResponseStory(
                "t", "k", "m", "g", "normal", false, true, false, false, 1, 2, "stop", 3L, List.of(), 1, 0, 0, 0, null,
                null);
        stories.add(new StoredStories.Story(id.substring("resp_".length()), "t", () -> WireJson.write(told)));
        // When
        var story = story(id);
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!story.path("source").asText().equals("record") && System.nanoTime() < deadline) {
            story = story(id);
        }
        // Then
        assertThat(story.path("source").asText()).isEqualTo("record");
        assertThat(story.path("tickets_resent").asInt()).isEqualTo(1);
        assertThat(story.path("ending").asText()).isEqualTo("stop");
        assertThat(story.path("status").asText()).isEqualTo("completed");
    }

    @Test
    void theLedgerHasTheTokensByLaneAndNoContent() {
        // Given
        var id = ask();
        // When
        var story = story(id);
        // Then
        assertThat(story.path("source").asText()).isEqualTo("ledger");
        assertThat(story.at("/tokens/reasoning").asInt()).isEqualTo(ModelScript.REASONING_TOKENS);
        assertThat(story.at("/tokens/text").asInt())
                .isEqualTo(ModelScript.OUTPUT_TOKENS - ModelScript.REASONING_TOKENS);
        assertThat(story.at("/replay/possible").asBoolean()).isFalse();
        assertThat(story.at("/replay/why_not").asText()).contains("60 minutes");
        assertThat(story.path("warnings").isArray()).isTrue();
        assertThat(story.toString()).doesNotContain("secret");
    }

    @Test
    void aDeletedResponseIsMarked() {
        var id = ask();
        caller.delete("/v1/responses/" + id);

        assertThat(story(id).path("status").asText()).isEqualTo("deleted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resp_1", "nonsense", "resp_000000000001000300000000000000000000000000000000"})
    void anUnknownResponseIsNotFound(String id) {
        assertThat(Api.admin().get("/admin/responses/" + id).status()).isEqualTo(404);
    }

    @Test
    void onlyTheAdminReadsIt() {
        assertThat(caller.get("/admin/responses/" + ask()).status()).isEqualTo(401);
    }

    private static JsonNode story(String id) {
        var answer = Api.admin().get("/admin/responses/" + id);
        assertThat(answer.status()).isEqualTo(200);
        return answer.json();
    }

    private String ask() {
        FakeModels.next(ModelScript.read(SCRIPT));
        return caller.post("/v1/responses", "{\"model\":\"gpt-oss-20b\",\"input\":\"secret 2+2?\"}")
                .json()
                .path("id")
                .asText();
    }
}
