package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class InputItemsIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private final Api caller = Api.newCaller("reasoning:summary");

    @Test
    void theInputIsReadPageByPageEachItemByAnIdOfItsOwn() {
        // Given an item of each kind
        var path = ask("""
                [{"role":"developer","content":"Be brief."},
                 {"type":"message","role":"user","id":"msg_x","content":[{"type":"input_text","text":"1"}]},
                 {"type":"message","role":"user","id":"msg_y","content":"2"},
                 {"type":"reasoning","id":"rs_1","summary":[]},
                 {"type":"function_call","call_id":"c1","name":"add","arguments":"{}"},
                 {"type":"function_call_output","call_id":"c1","output":"4"},
                 {"role":"assistant","content":"Well."},{"role":"user","content":"And?"}]""");

        for (var order : List.of("asc", "desc")) {
            // When
            var ids = new ArrayList<String>();
            var types = new ArrayList<String>();
            var after = "";
            boolean more = true;
            while (more) {
                var page = caller.get(path + "?limit=3&order=" + order + after).json();
                assertValid(page);
                page.path("data").forEach(item -> {
                    ids.add(item.path("id").asText());
                    types.add(item.path("type").asText());
                });
                after = "&after=" + page.path("last_id").asText();
                more = page.path("has_more").asBoolean();
            }

            // Then
            assertThat(ids).hasSize(8).doesNotHaveDuplicates();
            assertThat(order.equals("asc") ? types : types.reversed())
                    .containsExactly(
                            "message",
                            "message",
                            "message",
                            "reasoning",
                            "function_call",
                            "function_call_output",
                            "message",
                            "message");
        }
    }

    @Test
    void anInputItemCanBeReferredTo() {
        // Given
        var path = ask("[{\"role\":\"developer\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":\"2+2?\"}]");
        var id = caller.get(path).json().path("last_id").asText();

        // When
        FakeModels.next(FOUR);
        var answer = caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","input":[{"type":"item_reference","id":"%s"},
                 {"role":"user","content":"2+2?"}]}""".formatted(id));

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(new PromptItem.Instructions("Be brief."), new PromptItem.User("2+2?"));
    }

    @Test
    void anotherTenantsInputAndWhatWasDeletedAreAbsent() {
        // Given
        var path = ask("\"secret\"");

        // Then
        assertThat(Api.newCaller("reasoning:raw").get(path).status()).isEqualTo(404);
        caller.delete(path.substring(0, path.lastIndexOf('/')));
        assertThat(caller.get(path).status()).isEqualTo(404);
    }

    private String ask(String input) {
        FakeModels.next(FOUR);
        var answer = caller.post("/v1/responses", "{\"model\":\"gpt-oss-20b\",\"input\":" + input + "}");
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return "/v1/responses/" + answer.json().path("id").asText() + "/input_items";
    }

    private static void assertValid(JsonNode page) {
        Contract.load()
                .ifPresent(contract -> assertThat(new ContractValidator(contract).violations("ResponseItemList", page))
                        .isEmpty());
    }
}
