package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.ParsedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The parser reads what the tests of llama.cpp and ollama expect; where it does not, exactly the difference
/// named.
class OtherParsersTest {
    @Test
    void sortsModelOutputAsLlamaCppDoes() {
        ConformanceTest.check(
                "llamacpp_gpt_oss_parse_cases",
                ConformanceData.rows("llamacpp_gpt_oss_parse_cases"),
                row -> Sorted.expected(row).equals(Sorted.of(row)));
    }

    /// On request llama.cpp drops calls, or leaves the reasoning with its markup in the content. Here that would be the
    /// business of whoever takes the events.
    @Test
    void differsFromLlamaCppOnlyWhereItWasAskedToLeaveThingsUnparsed() {
        for (JsonNode row : ConformanceData.rows("llamacpp_gpt_oss_parse_cases")) {
            var read = Sorted.of(row);
            boolean raw = row.path("reasoning_format").asText().equals("none")
                    || row.path("reasoning_in_content").asBoolean();
            var content =
                    raw ? "<|channel|>analysis<|message|>" + read.reasoning + "<|end|>" + read.content : read.content;
            var calls = row.path("parse_tool_calls").asBoolean() ? read.calls : List.<Call>of();
            assertThat(new Sorted(raw ? "" : read.reasoning, content, calls)).isEqualTo(Sorted.expected(row));
        }
    }

    @Test
    void readsHeadersAsOllamaDoes() {
        ConformanceTest.check(
                "ollama_header_cases",
                ConformanceData.rows("ollama_header_cases"),
                row -> Header.of(row).equals(Header.expected(row)));
    }

    /// Ollama takes a header that begins with `to=` for a tool's. What a model writes it says itself.
    @Test
    void differsFromOllamaOnlyInWhoWroteAHeaderWithoutARole() {
        for (JsonNode row : ConformanceData.rows("ollama_header_cases")) {
            var expected = Header.expected(row);
            boolean roleless = row.path("header").asText().startsWith("to=");
            assertThat(Header.of(row))
                    .isEqualTo(roleless ? new Header(Role.ASSISTANT, expected.channel, expected.recipient) : expected);
        }
    }

    private record Call(String recipient, String arguments) {}

    private record Sorted(String reasoning, String content, List<Call> calls) {
        static Sorted of(JsonNode row) {
            var reasoning = new StringBuilder();
            var content = new StringBuilder();
            var calls = new ArrayList<Call>();
            for (ParsedMessage message :
                    Outcome.model(row.path("input").asText()).read().messages) {
                var recipient = message.recipient();
                if (recipient != null) {
                    calls.add(new Call(recipient, message.text()));
                } else if (Channels.ANALYSIS.equals(message.channel())) {
                    reasoning.append(message.text());
                } else {
                    content.append(message.text());
                }
            }
            return new Sorted(reasoning.toString(), content.toString(), calls);
        }

        static Sorted expected(JsonNode row) {
            var expected = row.path("expected");
            return new Sorted(
                    expected.path("reasoning_content").asText(),
                    expected.path("content").asText(),
                    StreamSupport.stream(expected.path("tool_calls").spliterator(), false)
                            .map(call -> new Call(
                                    "functions." + call.path("name").asText(),
                                    call.path("arguments").asText()))
                            .toList());
        }
    }

    private record Header(Role role, @Nullable String channel, String recipient) {
        /// Of a message in the middle of a model's stream.
        static Header of(JsonNode row) {
            var read = Outcome.model(
                            "<|channel|>analysis<|message|>t<|end|><|start|>",
                            row.path("header").asText(),
                            "<|message|>x<|end|>")
                    .read()
                    .messages
                    .getLast();
            return new Header(read.author().role(), read.channel(), Objects.requireNonNullElse(read.recipient(), ""));
        }

        static Header expected(JsonNode row) {
            return new Header(
                    WireConversations.role(row.path("role").asText()),
                    row.path("channel").asText(),
                    row.path("recipient").asText());
        }
    }
}
