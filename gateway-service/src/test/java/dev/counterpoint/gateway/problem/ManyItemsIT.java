package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// L4 (security review): a request of very many items is refused while it is read, and not after seconds of work.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ManyItemsIT {
    private final Api caller = Api.newCaller("reasoning:summary");

    @ParameterizedTest(name = "L4 {0} {1} times in {2}")
    @CsvSource(delimiter = '|', textBlock = """
            {"role":"user","content":"a"}                                | 100000 | input
            {"type":"function_call","call_id":"c","name":"f","arguments":"{}"} | 20000 | input
            {"role":"user","content":"a"}                                | 100000 | messages
            """)
    void tooManyItemsAreRefusedByTheirNumber(String item, int times, String member) {
        var items = String.join(",", Collections.nCopies(times, item));
        long began = System.nanoTime();

        var answer = caller.post(
                member.equals("input") ? "/v1/responses" : "/v1/chat/completions",
                "{\"model\":\"%s\",\"%s\":[%s]}".formatted(FakeModels.MODEL, member, items));

        System.out.println("L4 " + (System.nanoTime() - began) / 1_000_000 + " ms " + answer.json());
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("array_above_max_length");
        assertThat(answer.json().path("error").path("param").asText()).isEqualTo(member);
    }
}
