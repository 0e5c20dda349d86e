package dev.counterpoint.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IgnoredFieldsTest {
    @Test
    void namesWhatNobodyKnowsWhereverItStands() {
        assertThat(ofResponses("""
                {"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"a","colour":1}],"mood":2}],
                 "tools":[{"type":"function","name":"f","parameters":{"type":"object","x":1},"speed":3}],
                 "text":{"format":{"type":"text"},"font":"serif"},"reasoning":{"effort":"low","depth":4},
                 "client_metadata":{"a":"b"},"user":"u"}"""))
                .containsExactly(
                        "input[0].content[0].colour",
                        "input[0].mood",
                        "tools[0].speed",
                        "text.font",
                        "reasoning.depth",
                        "client_metadata");
    }

    @Test
    void saysNothingOfWhatIsKnownOrNull() {
        assertThat(ofResponses("""
                {"model":"m","input":"a","client_metadata":null,"metadata":{"any":"thing"},"text":{"colour":null},
                 "tool_choice":{"type":"function","name":"f"},
                 "tools":[{"type":"function","name":"f","parameters":{}}]}""")).isEmpty();
        assertThat(ofChat("""
                {"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,
                 "tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}],
                 "logit_bias":{"5":1},"stop":"x","n":1,"response_format":{"type":"json_object"}}""")).isEmpty();
    }

    @Test
    void namesWhatDoesNothing() {
        var tree = WireJson.parse("{\"model\":\"m\",\"user\":\"u\"}".getBytes(StandardCharsets.UTF_8));
        var request = WireJson.read(tree, CreateResponse.class);

        assertThat(IgnoredFields.find(tree, request, Set.of("user"))).containsExactly("user");
    }

    @Test
    void namesSingleElementsThatDoNothing() {
        var body = """
                {"model":"m","tools":[{"type":"function","name":"f"},{"type":"web_search"}],"include":["a","b"]}""";
        var tree = WireJson.parse(body.getBytes(StandardCharsets.UTF_8));
        var request = WireJson.read(tree, CreateResponse.class);

        assertThat(IgnoredFields.find(tree, request, Set.of("tools[1]", "include[0]", "include[7]")))
                .containsExactly("tools[1]", "include[0]");
    }

    @Test
    void namesAreFewShortAndHarmless() {
        // Given
        var rude = "a\r\nset-cookie: b=c, ü" + "x".repeat(200);

        // When
        var text = IgnoredFields.text(Collections.nCopies(40, rude));

        // Then
        assertThat(text).matches("[A-Za-z0-9_.\\[\\]+, -]*").endsWith(", +8").startsWith("a__set-cookie__b_c___xx");
        assertThat(text.length()).isLessThan(32 * 110);
    }

    private static List<String> ofResponses(String body) {
        var tree = WireJson.parse(body.getBytes(StandardCharsets.UTF_8));
        return IgnoredFields.find(tree, WireJson.read(tree, CreateResponse.class), Set.of());
    }

    private static List<String> ofChat(String body) {
        var tree = WireJson.parse(body.getBytes(StandardCharsets.UTF_8));
        return IgnoredFields.find(tree, WireJson.read(tree, ChatRequest.class), Set.of());
    }
}
