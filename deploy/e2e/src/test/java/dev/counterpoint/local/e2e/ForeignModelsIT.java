package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.sse.SseEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// C2: a model that nobody knows shows its reasoning, in every mode and every form of both APIs; `ForeignTextTest` has
/// all
/// ways that models have. Who may not see the reasoning sees none of it, and the answer or a word that it is withheld.
@Timeout(300)
@ExtendWith(ForeignSuite.class)
class ForeignModelsIT {
    /// Stands in reasoning only.
    private static final String R = "hoopoe says aside";

    private static final String A = "Paris, on the Seine.";
    private static final List<String> MODES = List.of("none", "summary", "full");

    private static ApiClient plain;
    private static ApiClient raw;

    /// What a caller got.
    ///
    /// @param text of the answer
    /// @param all everything, as it came
    private record Got(String text, String all) {}

    @BeforeAll
    static void connect() {
        ForeignSuite.worker(Map.of());
        var suite = ForeignSuite.suite();
        plain = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        raw = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_RAW_API_KEY"));
    }

    /// `shown`: the answer must come; `held`: it may be withheld, with a word.
    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("C2, F1 to F8 nothing of the reasoning is shown, in any mode and form")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "shown | <think>~#R~</think>~~#A",
                "shown | #R~</think>~~#A",
                "shown | <think>~The tag `</think>` ends it. #R~</think>~~#A",
                "shown | **Reasoning:** #R~~**Answer:** #A",
                "shown | <!channel!>analysis<!message!>#R<!end!><!start!>assistant<!channel!>final<!message!>#A",
                "shown | {'reasoning':'#R','answer':'#A'}",
                "held | #R and no mark at all. #A",
                "held | <think>~#R",
            })
    void nothingOfTheReasoningIsShown(String which, String shape) {
        var said = shape.replace("#R", R)
                .replace("#A", A)
                .replace('\'', '"')
                .replace('~', '\n')
                .replace('!', '|');
        for (var mode : MODES) {
            for (var got : everyForm(said, mode)) {
                var what = "%s of %s gave %s".formatted(mode, said, got.all);
                assertThat(got.text).as(what).doesNotContain("hoopoe");
                if (mode.equals("none")) {
                    assertThat(got.all).as(what).doesNotContain("hoopoe");
                }
                if (which.equals("shown")) {
                    assertThat(got.text).as(what).isEqualTo(A);
                } else {
                    assertThat(got.all).as(what).contains("reasoning_unavailable");
                }
            }
        }
    }

    private static List<Got> everyForm(String said, String mode) {
        var caller = mode.equals("full") ? raw : plain;
        var chat = body(mode);
        chat.putArray("messages").addObject().put("role", "user").put("content", ChatServer.SAY + said);
        var response = body(mode).put("input", ChatServer.SAY + said);
        var chatWhole = caller.post("/v1/chat/completions", chat.toString()).body();
        var chatStream = caller.stream(
                "/v1/chat/completions", chat.deepCopy().put("stream", true).toString());
        var responseWhole = caller.post("/v1/responses", response.toString()).body();
        var responseStream = caller.stream(
                "/v1/responses", response.deepCopy().put("stream", true).toString());
        return List.of(
                new Got(chatWhole.at("/choices/0/message/content").asText(""), chatWhole.toString()),
                new Got(Streams.chatText(chatStream, "content"), all(chatStream)),
                new Got(text(responseWhole), responseWhole.toString()),
                new Got(Streams.text(responseStream, "response.output_text.delta"), all(responseStream)));
    }

    private static ObjectNode body(String mode) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("model", ForeignSuite.MODEL)
                .put("reasoning", mode);
    }

    private static String text(JsonNode response) {
        return StreamSupport.stream(response.path("output").spliterator(), false)
                .filter(item -> item.path("type").asText().equals("message"))
                .map(item -> item.at("/content/0/text").asText())
                .collect(Collectors.joining());
    }

    private static String all(List<SseEvent> events) {
        return events.stream().map(SseEvent::data).collect(Collectors.joining("\n"));
    }
}
