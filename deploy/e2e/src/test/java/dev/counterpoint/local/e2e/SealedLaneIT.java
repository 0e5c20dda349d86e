package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.sse.SseEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Who sees which reasoning, from a suite started as `up --reasoning summary`.
@ExtendWith(WholeSuite.class)
class SealedLaneIT {
    private static final String QUESTION = "Why is the sky blue?";

    private static ApiClient plain;
    private static ApiClient raw;

    @BeforeAll
    static void connect() {
        var suite = WholeSuite.suite();
        plain = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        raw = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_RAW_API_KEY"));
    }

    @Test
    void aResponseUnfoldsItsSummaryBeforeItsAnswer() {
        var events = responses(plain, ",\"reasoning\":{\"summary\":\"auto\"}");

        var types = Streams.types(events);
        assertThat(types)
                .containsSubsequence(
                        "response.output_item.added",
                        "response.reasoning_summary_part.added",
                        "response.reasoning_summary_text.delta",
                        "response.reasoning_summary_text.done",
                        "response.reasoning_summary_part.done",
                        "response.output_item.done",
                        "response.output_text.delta",
                        "response.completed")
                .noneMatch(type -> type.startsWith("response.reasoning_text"));
        assertThat(types.lastIndexOf("response.reasoning_summary_text.delta"))
                .isLessThan(types.indexOf("response.output_text.delta"));
        var item = reasoning(events);
        assertThat(item.path("summary")).isNotEmpty();
        assertThat(item.has("content")).isFalse();
        assertThat(join(item.path("summary"))).isEqualTo(text(events, "response.reasoning_summary_text.delta"));
        assertThat(Streams.bodies(events)
                        .getLast()
                        .at("/response/reasoning_summary_tier")
                        .asText())
                .isEqualTo("described");
    }

    @Test
    void aResponseThatNamesNothingGetsTheDeploymentsDefault() {
        assertThat(reasoning(responses(plain, "")).path("summary")).isNotEmpty();
    }

    @Test
    void aChatUnfoldsItsSummaryBeforeItsAnswer() {
        var events = chat(plain, ",\"reasoning\":{\"effort\":\"medium\"}");

        assertThat(firstChunkWith(events, "reasoning")).isBetween(0, firstChunkWith(events, "content") - 1);
        assertThat(lastChunkWith(events, "reasoning")).isLessThan(firstChunkWith(events, "content"));
        assertThat(Streams.bodies(events)).allSatisfy(SealedLaneIT::reasoningAndItsDetailsSayTheSame);
        assertThat(detailTypes(events)).contains("reasoning.summary").doesNotContain("reasoning.text");
    }

    @Test
    void aChatThatNamesSummaryOrNothingGetsReasoningSummary() {
        for (var named : List.of(",\"reasoning\":\"summary\"", "")) {
            var events = chat(plain, named);

            assertThat(Streams.chatText(events, "reasoning_summary")).isNotBlank();
            assertThat(Streams.chatText(events, "reasoning")).isEmpty();
            assertThat(lastChunkWith(events, "reasoning_summary")).isLessThan(firstChunkWith(events, "content"));
        }
    }

    @Test
    void theRawKeyGetsSummaryAndContentInOneItem() {
        var events = responses(raw, ",\"reasoning\":{\"summary\":\"auto\"}");

        var output = Streams.bodies(events).getLast().path("response").path("output");
        assertThat(output)
                .filteredOn(item -> item.path("type").asText().equals("reasoning"))
                .hasSize(1);
        var item = reasoning(events);
        assertThat(item.path("summary")).isNotEmpty();
        assertThat(item.path("content")).isNotEmpty();
        assertThat(join(item.path("summary"))).isEqualTo(text(events, "response.reasoning_summary_text.delta"));
        assertThat(join(item.path("content"))).isEqualTo(text(events, "response.reasoning_text.delta"));
        assertThat(runsOfWords(join(item.path("summary"))))
                .isNotEmpty()
                .doesNotContainAnyElementsOf(runsOfWords(join(item.path("content"))));
        assertThat(count(events, "response.reasoning_text.done"))
                .isEqualTo(item.path("content").size());
        assertThat(Streams.bodies(events).stream()
                        .filter(event ->
                                event.path("part").path("type").asText().equals("reasoning_text"))
                        .map(event -> event.path("type").asText()))
                .hasSize(2 * item.path("content").size())
                .contains("response.content_part.added", "response.content_part.done");
    }

    @Test
    void reasoningThatNobodyAskedForIsSummedUpAfterwards() {
        for (var path : List.of("/v1/responses", "/v1/chat/completions")) {
            // Given
            boolean chat = path.endsWith("completions");
            var question = chat
                    ? "\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}],\"store\":true".formatted(QUESTION)
                    : "\"input\":\"%s\",\"include\":[\"reasoning.encrypted_content\"]".formatted(QUESTION);
            var answered = plain.post(
                            path,
                            "{\"model\":\"%s\",\"reasoning\":\"none\",%s}".formatted(RunningSuite.MODEL, question))
                    .body();
            var place = path + "/" + answered.path("id").asText();

            // When
            var summed = plain.post(place + "/reasoning_summary", "{\"summary\":\"detailed\"}");

            // Then
            assertThat(summed.status()).as(summed.body().toString()).isEqualTo(200);
            assertDescribed(summed.body());

            // And the log is not needed where the caller kept the reasoning, sealed
            assertThat(plain.delete(place).status()).isEqualTo(200);
            assertThat(plain.post(place + "/reasoning_summary", "{}").status()).isEqualTo(404);
            if (!chat) {
                var blob = answered.at("/output/0/encrypted_content").asText();
                assertDescribed(plain.post(
                                place + "/reasoning_summary",
                                "{\"encrypted_content\":[\"%s\"],\"model\":\"%s\"}".formatted(blob, RunningSuite.MODEL))
                        .body());
            }
        }
    }

    private static void assertDescribed(JsonNode summed) {
        assertThat(summed.path("reasoning_summary_tier").asText())
                .as(summed.toString())
                .isEqualTo("described");
        assertThat(join(summed.path("summary"))).startsWith("**");
        assertThat(summed.has("reasoning_unavailable")).isFalse();
    }

    private static List<SseEvent> responses(ApiClient client, String more) {
        var events = client.stream(
                "/v1/responses",
                "{\"model\":\"%s\",\"input\":\"%s\",\"stream\":true%s}".formatted(RunningSuite.MODEL, QUESTION, more));
        assertThat(Streams.terminals(events)).containsExactly("response.completed");
        return events;
    }

    private static List<SseEvent> chat(ApiClient client, String more) {
        return client.stream(
                "/v1/chat/completions",
                "{\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}],\"stream\":true%s}"
                        .formatted(RunningSuite.MODEL, QUESTION, more));
    }

    private static JsonNode reasoning(List<SseEvent> events) {
        for (var item : Streams.bodies(events).getLast().path("response").path("output")) {
            if (item.path("type").asText().equals("reasoning")) {
                return item;
            }
        }
        throw new AssertionError("no reasoning in " + events.getLast());
    }

    private static String join(JsonNode parts) {
        var text = new StringBuilder();
        parts.forEach(part -> text.append(part.path("text").asText()));
        return text.toString();
    }

    /// Runs of five words.
    private static List<String> runsOfWords(String text) {
        var words = text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+");
        return IntStream.rangeClosed(0, words.length - 5)
                .mapToObj(from -> String.join(" ", Arrays.copyOfRange(words, from, from + 5)))
                .toList();
    }

    private static String text(List<SseEvent> events, String type) {
        return Streams.text(events, type);
    }

    private static long count(List<SseEvent> events, String type) {
        return Streams.types(events).stream().filter(type::equals).count();
    }

    private static void reasoningAndItsDetailsSayTheSame(JsonNode chunk) {
        for (var choice : chunk.path("choices")) {
            var delta = choice.path("delta");
            if (delta.has("reasoning")) {
                assertThat(delta.path("reasoning").asText())
                        .isEqualTo(delta.path("reasoning_details")
                                .path(0)
                                .path("summary")
                                .asText());
            }
        }
    }

    private static List<String> detailTypes(List<SseEvent> events) {
        var types = new ArrayList<String>();
        Streams.bodies(events)
                .forEach(chunk -> chunk.path("choices")
                        .forEach(choice -> types.addAll(
                                choice.path("delta").path("reasoning_details").findValuesAsText("type"))));
        return types;
    }

    /// Number of the first chunk whose delta tells this member, -1 for none.
    private static int firstChunkWith(List<SseEvent> events, String member) {
        return chunksWith(events, member).stream().findFirst().orElse(-1);
    }

    private static int lastChunkWith(List<SseEvent> events, String member) {
        return chunksWith(events, member).stream().reduce((_, last) -> last).orElse(-1);
    }

    private static List<Integer> chunksWith(List<SseEvent> events, String member) {
        var numbers = new ArrayList<Integer>();
        var bodies = Streams.bodies(events);
        for (int at = 0; at < bodies.size(); at++) {
            for (var choice : bodies.get(at).path("choices")) {
                if (!choice.path("delta").path(member).asText("").isEmpty()) {
                    numbers.add(at);
                }
            }
        }
        return numbers;
    }
}
