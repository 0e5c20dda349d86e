package dev.counterpoint.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurrentSpanTest {
    @ParameterizedTest
    @CsvSource({
        "/v1/responses, /v1/responses",
        "/v1/chat/completions, /v1/chat/completions",
        "/v1/responses/resp_abc/input_items, /v1/responses/{id}/input_items",
        "/v1/conversations/conv_1/items/msg_2, /v1/conversations/{id}/items/{id}",
        "/v1/models/openai/gpt-oss-20b, /v1/models/{id}/{id}",
        "/v1/my%20secret, /v1/{id}"
    })
    void aRouteHasNoIdAndNothingElseThatSomebodyWrote(String path, String route) {
        assertThat(CurrentSpan.route(path)).isEqualTo(route);
    }
}
