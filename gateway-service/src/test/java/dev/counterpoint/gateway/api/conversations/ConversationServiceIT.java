package dev.counterpoint.gateway.api.conversations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ConversationServiceIT {
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final String RESPONSES = "/v1/responses";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");
    private final Api stranger = Api.newCaller("reasoning:raw");

    private final TestSuperuser database = new TestSuperuser();

    @Inject
    StoredConversations rows;

    @Test
    void holdsWhatItBeganWithAndEachTurnInOrder() {
        // Given
        var conversation = caller.post(CONVERSATIONS, """
                {"metadata":{"topic":"sums"},"items":[{"role":"developer","content":"Be brief."},
                 {"role":"assistant","content":[{"type":"output_text","text":"Hello!"}]}]}""").json();
        var id = conversation.path("id").asText();

        // When
        var response = ask(id, "\"2+2?\"");
        ask(id, "[{\"role\":\"user\",\"content\":\"3+1?\"}]");

        // Then
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(
                        new PromptItem.Instructions("Be brief."),
                        new PromptItem.Assistant("Hello!", false),
                        new PromptItem.User("2+2?"),
                        new PromptItem.Assistant("4", false),
                        new PromptItem.User("3+1?"));
        assertThat(response.at("/conversation/id").asText()).isEqualTo(id);
        var items = caller.get(items(id) + "?order=asc").json();
        assertThat(items.findValuesAsText("text")).containsExactly("Be brief.", "Hello!", "2+2?", "4", "3+1?", "4");
        assertThat(items.at("/data/3")).isEqualTo(response.at("/output/0"));
        assertThat(items.path("has_more").asBoolean()).isFalse();
        assertThat(caller.get(items(id) + "/" + items.at("/data/2/id").asText()).json())
                .isEqualTo(items.at("/data/2"));
        assertValid("ConversationResource", conversation);
        assertValid("ConversationItemList", items);
    }

    @Test
    void canBeRenamedAndLosesSingleItems() {
        // Given
        var id = newConversation();
        var added = caller.post(
                        items(id),
                        "{\"items\":[{\"role\":\"user\",\"content\":\"a\"},"
                                + "{\"type\":\"message\",\"role\":\"user\",\"id\":\"msg_mine\",\"content\":\"b\"}]}")
                .json();
        assertValid("ConversationItemList", added);

        // When
        var updated = caller.post(CONVERSATIONS + "/" + id, "{\"metadata\":{\"a\":\"b\"}}");
        var without = caller.delete(items(id) + "/" + added.at("/data/0/id").asText());

        // Then
        assertThat(updated.json().at("/metadata/a").asText()).isEqualTo("b");
        assertThat(without.json()).isEqualTo(updated.json());
        assertThat(caller.get(CONVERSATIONS + "/" + id).json()).isEqualTo(updated.json());
        assertThat(caller.get(items(id)).json().findValuesAsText("text")).containsExactly("b");
        ask(id, "\"c\"");
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(new PromptItem.User("b"), new PromptItem.User("c"));
    }

    @Test
    void anotherTenantsConversationIsAsAbsentAsOneThatNeverWas() {
        // Given
        var id = newConversation();
        ask(id, "\"2+2?\"");
        var item = caller.get(items(id)).json().at("/data/0/id").asText();
        var last = FakeModels.last();

        // Then
        for (var conversation : List.of(id, "conv_x")) {
            var path = CONVERSATIONS + "/" + conversation;
            var refused = List.of(
                    stranger.get(path),
                    stranger.post(path, "{\"metadata\":{\"a\":\"b\"}}"),
                    stranger.delete(path),
                    stranger.get(path + "/items"),
                    stranger.post(path + "/items", "{\"items\":[{\"role\":\"user\",\"content\":\"x\"}]}"),
                    stranger.get(path + "/items/" + item),
                    stranger.delete(path + "/items/" + item),
                    stranger.post(RESPONSES, request(conversation, "\"x\"", "")));
            assertThat(refused).extracting(Api.Answer::status).containsOnly(404);
            assertThat(refused)
                    .extracting(answer -> answer.json().at("/error/message").asText())
                    .containsOnly("Conversation with id '" + conversation + "' not found.");
        }
        var reference = stranger.post(RESPONSES, """
                {"model":"gpt-oss-20b","input":[{"type":"item_reference","id":"%s"}]}""".formatted(item));
        assertThat(reference.status()).isEqualTo(400);
        assertThat(FakeModels.last()).isSameAs(last);
        assertThat(caller.get(items(id)).json().path("data")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"asc", "desc"})
    void aReaderOfPagesSeesEachItemOnceWhileOthersAreAdded(String order) throws Exception {
        // Given
        var id = newConversation();
        for (int i = 0; i < 10; i++) {
            add(id, "before-" + i + "a", "before-" + i + "b");
        }
        var begun = new CountDownLatch(1);
        var read = new CountDownLatch(1);
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var written = new ArrayList<Future<Integer>>();
            for (int writer = 0; writer < 3; writer++) {
                var name = "during-" + writer + "-";
                Callable<Integer> write = () -> {
                    int count = 0;
                    while (read.getCount() > 0 && count < 100) {
                        add(id, name + count + "a", name + count + "b");
                        count++;
                        begun.countDown();
                    }
                    return count;
                };
                written.add(writers.submit(write));
            }
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

            // When
            var seen = new ArrayList<String>();
            var after = "";
            JsonNode page;
            do {
                page = caller.get(items(id) + "?limit=3&order=" + order + after).json();
                seen.addAll(page.findValuesAsText("text"));
                after = "&after=" + page.path("last_id").asText();
                if (seen.size() > 30) {
                    read.countDown(); // or the ascending reader might never come to the end
                }
            } while (page.path("has_more").asBoolean());
            read.countDown();
            for (var count : written) {
                count.get(20, TimeUnit.SECONDS);
            }

            // Then
            var all = all(id);
            var expected = order.equals("asc") ? all.subList(0, seen.size()) : tail(all.reversed(), seen.size());
            assertThat(seen).isEqualTo(expected);
            assertThat(seen).hasSizeGreaterThanOrEqualTo(20).doesNotHaveDuplicates();
            assertThat(together(all)).as("each batch stays together").isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"finish\":\"FAILED\"}", "{\"finish\":\"PROMPT_TOO_LONG\"}", "{\"stop\":\"EXPIRED\"}"})
    void aTurnThatFailedLeavesItAsItWas(String ending) {
        // Given
        var id = newConversation();
        ask(id, "\"2+2?\"");

        // When
        FakeModels.next(ModelScript.read("[{\"message\":0,\"channel\":\"final\",\"text\":\"ha\"}," + ending + "]"));
        caller.post(RESPONSES, request(id, "\"again?\"", ",\"stream\":true"));

        // Then
        assertThat(all(id)).containsExactly("2+2?", "4");
    }

    @Test
    void aTurnThatALimitCutOffIsPartOfItAndAnUnfinishedCallIsNoneOfThePrompt() {
        // Given
        var id = newConversation();
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},{"message":1,"channel":"commentary","text":"Let me see.","closed":true},
                 {"message":2,"channel":"commentary","to":"functions.add","text":"{\\"a"},{"finish":"MAX_TOKENS"}]"""));
        var cut = caller.post(RESPONSES, request(id, "\"2+2?\"", "")).json();
        assertThat(cut.path("status").asText()).isEqualTo("incomplete");

        // When
        ask(id, "\"well?\"");

        // Then
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Assistant("Let me see.", true),
                        new PromptItem.User("well?"));
    }

    @Test
    void deletingItTakesItsItemsAwayAndWhatRunsInItBringsNothingBack() throws Exception {
        // Given
        var id = newConversation();
        ask(id, "\"2+2?\"");
        FakeModels.next(List.of());
        var running = caller.post(RESPONSES, request(id, "\"more\"", ",\"background\":true"))
                .json();
        var generation = FakeModels.last().generation();

        // When
        var deleted = caller.delete(CONVERSATIONS + "/" + id).json();
        FOUR.forEach(generation::say);
        assertThat(generation.isSettled()).isTrue();

        // Then
        assertValid("DeletedConversationResource", deleted);
        assertThat(count("conversation_item where conversation_id = '" + id + "'"))
                .isZero();
        assertThat(caller.get(items(id)).status()).isEqualTo(404);
        assertThat(caller.delete(CONVERSATIONS + "/" + id).status()).isEqualTo(404);
        var response = RESPONSES + "/" + running.path("id").asText();
        assertThat(caller.get(response).json().path("status").asText()).isEqualTo("completed");
    }

    @Test
    void aResponseThatIsDeletedWhileItRunsIsNoPartOfIt() throws Exception {
        // Given
        var id = newConversation();
        FakeModels.next(List.of());
        var running = caller.post(RESPONSES, request(id, "\"secret\"", ",\"background\":true"))
                .json();
        var generation = FakeModels.last().generation();
        generation.say(FOUR.getFirst());

        // When
        assertThat(caller.delete(RESPONSES + "/" + running.path("id").asText()).status())
                .isEqualTo(200);
        assertThat(generation.isSettled()).isTrue();

        // Then
        assertThat(all(id)).isEmpty();
    }

    @Test
    void rawReasoningIsNeverInItAndSealedReasoningNoLongerThanItsTurn() {
        // Given a turn that waits for a tool
        var trusted = Api.ofTenant(tenant, "reasoning:raw");
        var id = newConversation();
        var blob = Blobs.of(tenant).in(id).seal();
        FakeModels.next(ModelScript.read("""
                [{"message":0,"channel":"analysis","raw":true,"text":"CANARY","closed":true},{"sealed":"%s"},
                 {"message":1,"channel":"commentary","to":"functions.add","text":"{}","closed":true},
                 {"finish":"STOP"}]""".formatted(blob)));
        var call = trusted.post(RESPONSES, request(id, """
                [{"role":"user","content":"2+2?"},
                 {"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"CANARY"}]}]""", "")).json();
        assertThat(call.toString()).contains("CANARY");
        assertThat(trusted.get(items(id) + "?include=reasoning.encrypted_content")
                        .json()
                        .toString())
                .doesNotContain("CANARY")
                .contains(blob);

        // When
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},{"sealed":"%s"},{"message":1,"channel":"final","text":"4","closed":true},
                 {"finish":"STOP"}]""".formatted(blob)));
        trusted.post(
                RESPONSES,
                request(id, """
                [{"type":"function_call_output","call_id":"%s","output":"4"}]""".formatted(call.at("/output/1/call_id").asText()), ""));

        // Then it went back to the model, and is gone
        assertThat(FakeModels.last().submission().job().prompt()).contains(new PromptItem.Sealed(blob));
        assertThat(count("conversation_item where sealed is not null and conversation_id = '" + id + "'"))
                .isZero();
        assertThat(count("response where conversation_id = '" + id
                        + "' and concat(input_items, response) like '%encrypted_content%'"))
                .isZero();
        assertThat(count("conversation_item where item like '%CANARY%'")).isZero();
    }

    @Test
    void aChainOfResponsesGoesOnFromWhatTheConversationWasThen() {
        // Given
        var id = newConversation();
        var first = ask(id, "\"2+2?\"");
        ask(id, "\"another\"");

        // When
        FakeModels.next(FOUR);
        caller.post(RESPONSES, """
                {"model":"gpt-oss-20b","previous_response_id":"%s","input":"and?"}""".formatted(first.path("id").asText()));

        // Then
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"), new PromptItem.Assistant("4", false), new PromptItem.User("and?"));
        assertThat(all(id)).hasSize(4);
    }

    private String newConversation() {
        return caller.post(CONVERSATIONS, "{}").json().path("id").asText();
    }

    private JsonNode ask(String conversation, String input) {
        FakeModels.next(FOUR);
        var answer = caller.post(RESPONSES, request(conversation, input, ""));
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return answer.json();
    }

    /// A turn.
    static String request(String conversation, String input, String members) {
        return "{\"model\":\"gpt-oss-20b\",\"conversation\":\"%s\",\"input\":%s%s}"
                .formatted(conversation, input, members);
    }

    private static String items(String conversation) {
        return CONVERSATIONS + "/" + conversation + "/items";
    }

    private void add(String conversation, String first, String second) {
        var answer = caller.post(items(conversation), """
                {"items":[{"role":"user","content":"%s"},{"role":"user","content":"%s"}]}""".formatted(first, second));
        assertThat(answer.status()).isEqualTo(200);
    }

    /// The texts of all items, the oldest first.
    private List<String> all(String conversation) {
        return rows.before(conversation, GatewayDatabase.defaultProject(tenant), Long.MAX_VALUE).stream()
                .map(item -> WireJson.parse(item.json().getBytes(StandardCharsets.UTF_8)))
                .flatMap(item -> item.findValuesAsText("text").stream())
                .toList();
    }

    private static List<String> tail(List<String> list, int size) {
        return list.subList(list.size() - size, list.size());
    }

    private static boolean together(List<String> all) {
        for (int i = 0; i < all.size(); i += 2) {
            var first = all.get(i);
            if (!all.get(i + 1).equals(first.substring(0, first.length() - 1) + "b")) {
                return false;
            }
        }
        return true;
    }

    private long count(String from) {
        return database.createNativeQuery("select count(*) from " + from, Long.class)
                .getSingleResult();
    }

    private static void assertValid(String schema, JsonNode answer) {
        Contract.load()
                .ifPresent(contract -> assertThat(new ContractValidator(contract).violations(schema, answer))
                        .isEmpty());
    }
}
