package dev.counterpoint.gateway.api.completions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeGeneration;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class CompletionServiceIT {
    private static final String PATH = "/v1/chat/completions";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"analysis","raw":true,"text":"CANARY","closed":true},
             {"message":1,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Api caller = Api.newCaller("reasoning:raw");
    private final Api stranger = Api.newCaller("reasoning:raw");

    private final TestSuperuser database = new TestSuperuser();

    @Test
    void isReadAgainAsItWasButForItsReasoning() {
        // When
        var created = create("2+2?", "{\"a\":\"b\"}");
        var read = caller.get(path(created)).json();

        // Then
        assertThat(created.at("/choices/0/message/reasoning").asText()).isEqualTo("CANARY");
        ((ObjectNode) created.at("/choices/0/message")).remove(List.of("reasoning", "reasoning_details"));
        assertThat(read).isEqualTo(created);
        assertValid("CreateChatCompletionResponse", read);
    }

    @Test
    void onlyThoseThatAreStoredAndCompleteAreThere() {
        // Given
        var wanted = create("2+2?", "{}");
        FakeModels.next(FOUR);
        var unstored = caller.post(PATH, request("x", "{}").replace("\"store\":true", "\"store\":false"))
                .json();
        FakeModels.next(ModelScript.read("[{\"finish\":\"FAILED\"}]"));
        caller.post(PATH, request("y", "{}"));

        // Then
        var list = caller.get(PATH).json();
        assertThat(ids(list)).containsExactly(wanted.path("id").asText());
        assertValid("ChatCompletionList", list);
        assertThat(caller.get(path(unstored)).status()).isEqualTo(404);
        assertThat(stranger.get(PATH).json().path("data")).isEmpty();
    }

    @Test
    void areFoundByModelAndMetadata() {
        // Given characters that neither SQL nor a text column takes as they are
        var odd = "it's \\\"%_\\u0000 ü";
        var first = create("1", "{\"topic\":\"sums\",\"odd\":\"" + odd + "\"}");
        var second = create("2", "{\"topic\":\"sums\"}");
        create("3", "{\"topic\":\"other\"}");

        // Then
        assertThat(ids(list("?metadata%5Btopic%5D=sums"))).containsExactly(id(first), id(second));
        assertThat(ids(list("?metadata%5Btopic%5D=sums&metadata%5Bodd%5D=it%27s+%5C%22%25_%00+%C3%BC")))
                .as("%s", first)
                .isEmpty();
        assertThat(ids(list("?metadata%5Bodd%5D=it%27s+%22%25_%00+%C3%BC"))).containsExactly(id(first));
        assertThat(ids(list("?model=gpt-oss-20b"))).hasSize(3);
        assertThat(ids(list("?model=gpt-4"))).isEmpty();
        assertThat(ids(list("?order=desc&limit=1&metadata%5Btopic%5D=sums"))).containsExactly(id(second));
    }

    @Test
    void otherMetadataTakeThePlaceOfTheFirst() {
        // Given
        var created = create("1", "{\"a\":\"b\"}");

        // When
        var updated = caller.post(path(created), "{\"metadata\":{\"c\":\"d\"}}").json();

        // Then
        assertThat(updated.path("metadata").toString()).isEqualTo("{\"c\":\"d\"}");
        assertThat(caller.get(path(created)).json()).isEqualTo(updated);
        assertThat(ids(list("?metadata%5Ba%5D=b"))).isEmpty();
        assertThat(ids(list("?metadata%5Bc%5D=d"))).containsExactly(id(created));
        assertRefused(caller.post(path(created), "{}"), 400, "metadata");
    }

    @Test
    void tellsItsMessages() {
        // Given
        FakeModels.next(FOUR);
        var created = caller.post(PATH, """
                {"model":"gpt-oss-20b","store":true,"messages":[{"role":"developer","content":"Be brief."},
                 {"role":"user","content":[{"type":"text","text":"2+2?"}]},
                 {"role":"assistant","content":null,"reasoning":"CANARY",
                  "tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{}"}}]},
                 {"role":"tool","tool_call_id":"c1","content":"4"}]}""").json();

        // When
        var first = caller.get(path(created) + "/messages?limit=3").json();
        var rest = caller.get(path(created) + "/messages?after="
                        + first.path("last_id").asText())
                .json();

        // Then
        assertThat(first.toString()).doesNotContain("CANARY");
        assertThat(first.findValuesAsText("role")).containsExactly("developer", "user", "assistant");
        assertThat(first.at("/data/1/content_parts/0/text").asText()).isEqualTo("2+2?");
        assertThat(first.at("/data/2/tool_calls/0/id").asText()).isEqualTo("c1");
        assertThat(first.path("has_more").asBoolean()).isTrue();
        assertThat(rest.findValuesAsText("content")).containsExactly("4");
        assertThat(rest.path("has_more").asBoolean()).isFalse();
        assertRefused(caller.get(path(created) + "/messages?after=x"), 400, "after");
    }

    @ParameterizedTest
    @ValueSource(strings = {"asc", "desc"})
    void aReaderOfPagesSeesEachOnceWhileOthersAreAddedAndDeleted(String order) {
        // Given
        var before = new ArrayList<String>();
        for (int i = 0; i < 7; i++) {
            before.add(id(create("before " + i, "{}")));
        }
        var gone = before.get(order.equals("asc") ? 6 : 0);

        // When
        var seen = new ArrayList<String>();
        var after = "";
        for (int page = 0; page < 4; page++) {
            var answer = list("?limit=2&order=" + order + after);
            seen.addAll(ids(answer));
            after = "&after=" + answer.path("last_id").asText();
            create("during " + page, "{}");
            if (page == 0) {
                caller.delete(PATH + "/" + gone);
            }
        }

        // Then
        before.remove(gone);
        assertThat(seen).doesNotHaveDuplicates().doesNotContain(gone);
        assertThat(seen).startsWith((order.equals("asc") ? before : before.reversed()).toArray(String[]::new));
    }

    @Test
    void isGoneOnceItIsDeletedWithAllThatItWasFoundBy() {
        // Given
        var created = create("secret", "{\"a\":\"b\"}");

        // When
        var deleted = caller.delete(path(created)).json();

        // Then
        assertValid("ChatCompletionDeleted", deleted);
        assertThat(caller.get(path(created)).status()).isEqualTo(404);
        assertThat(caller.delete(path(created)).status()).isEqualTo(404);
        assertThat(caller.get(path(created) + "/messages").status()).isEqualTo(404);
        assertThat(ids(list(""))).isEmpty();
        assertThat(kept(id(created))).isEmpty();
        assertThat(count("completion_metadata where completion_id = '" + id(created) + "'"))
                .isZero();
    }

    @Test
    void aStreamThatIsDeletedWhileItRunsIsCancelledAndBringsNothingBack() throws Exception {
        // Given
        FakeModels.next(List.of());
        var stream = caller.request(PATH)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(
                        request("secret", "{\"a\":\"b\"}").replace("{\"model\"", "{\"stream\":true,\"model\"")))
                .build();
        int before = FakeModels.asked();
        var answer = CLIENT.sendAsync(stream, BodyHandlers.ofString());
        var generation = startedAfter(before);
        var id = new TurnIds(generation.id()).completion();
        generation.say(FOUR.getFirst());
        generation.say(ModelScript.opens(1, false, "final", null));
        generation.say(ModelScript.says(1, false, "4"));

        // When
        int status = caller.delete(PATH + "/" + id).status();

        // Then
        assertThat(status).isEqualTo(200);
        assertThat(generation.isAbandoned()).isTrue();
        assertThat(generation.isSettled()).isTrue();
        assertThat(answer.get(20, TimeUnit.SECONDS).body()).contains("[DONE]");
        assertThat(caller.get(PATH + "/" + id).status()).isEqualTo(404);
        assertThat(kept(id)).isEmpty();
        assertThat(count("completion_metadata where completion_id = '" + id + "'"))
                .isZero();
    }

    @Test
    void anotherTenantsIsAsAbsentAsOneThatNeverWas() {
        // Given
        var mine = create("mine", "{}");

        // Then
        for (var id : List.of(id(mine), "chatcmpl-x", "resp_x")) {
            var path = PATH + "/" + id;
            assertThat(List.of(
                            stranger.get(path),
                            stranger.post(path, "{\"metadata\":{}}"),
                            stranger.delete(path),
                            stranger.get(path + "/messages")))
                    .extracting(Api.Answer::status)
                    .containsOnly(404);
            assertRefused(stranger.get(PATH + "?after=" + id), 400, "after");
        }
        assertThat(caller.get(path(mine)).status()).isEqualTo(200);
    }

    /// The generation that was asked for last, once it is asked for.
    private static FakeGeneration startedAfter(int count) throws InterruptedException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (FakeModels.asked() == count && System.nanoTime() < deadline) {
            Thread.sleep(5); // the pace of asking again
        }
        return FakeModels.last().generation();
    }

    private JsonNode create(String question, String metadata) {
        FakeModels.next(FOUR);
        var answer = caller.post(PATH, request(question, metadata));
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return answer.json();
    }

    private static String request(String question, String metadata) {
        return """
                {"model":"gpt-oss-20b","store":true,"metadata":%s,"messages":[{"role":"user","content":"%s"}]}""".formatted(metadata, question);
    }

    private JsonNode list(String query) {
        return caller.get(PATH + query).json();
    }

    private static List<String> ids(JsonNode list) {
        var ids = new ArrayList<String>();
        list.path("data").forEach(entry -> ids.add(entry.path("id").asText()));
        return ids;
    }

    private static String id(JsonNode completion) {
        return completion.path("id").asText();
    }

    private static String path(JsonNode completion) {
        return PATH + "/" + id(completion);
    }

    private String kept(String id) {
        return database.createNativeQuery(
                        "select concat(input_items, response) from response where id = :id", String.class)
                .setParameter("id", id)
                .getSingleResult();
    }

    private long count(String from) {
        return database.createNativeQuery("select count(*) from " + from, Long.class)
                .getSingleResult();
    }

    private static void assertRefused(Api.Answer answer, int status, String param) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(param);
    }

    private static void assertValid(String schema, JsonNode answer) {
        Contract.load()
                .ifPresent(contract -> assertThat(new ContractValidator(contract).violations(schema, answer))
                        .isEmpty());
    }
}
