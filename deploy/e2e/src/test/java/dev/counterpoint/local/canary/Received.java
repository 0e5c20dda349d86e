package dev.counterpoint.local.canary;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;

/// Every byte that callers received. Thread-safe.
final class Received {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Answer> answers = new ArrayList<>();

    /// One answer, or as much of it as came.
    ///
    /// @param name of what was asked, unique
    record Answer(String name, int status, HttpHeaders headers, byte[] body) {
        String text() {
            return new String(body, UTF_8);
        }

        JsonNode json() {
            return tree(text());
        }

        /// The JSON of each event of a stream, without `[DONE]`.
        List<JsonNode> events() {
            return text().lines()
                    .filter(line -> line.startsWith("data:") && !line.contains("[DONE]"))
                    .map(line -> tree(line.substring("data:".length())))
                    .toList();
        }

        /// The text of all deltas of a stream, one after the other: a word may come in several.
        String told() {
            var told = new StringBuilder();
            for (var event : events()) {
                told.append(event.path("delta").asText());
                told.append(event.at("/choices/0/delta/reasoning").asText());
            }
            return told.toString();
        }

        /// The text of the summary that a stream tells to whom may not read raw reasoning.
        String summary() {
            var summary = new StringBuilder();
            for (var event : events()) {
                if (event.path("type").asText().equals("response.reasoning_summary_text.delta")) {
                    summary.append(event.path("delta").asText());
                }
                summary.append(event.at("/choices/0/delta/reasoning").asText());
                summary.append(event.at("/choices/0/delta/reasoning_summary").asText());
            }
            return summary.toString();
        }

        /// Status, headers and body.
        byte[] bytes() {
            var all = new ByteArrayOutputStream();
            all.writeBytes((status + "\n").getBytes(UTF_8));
            headers.map().forEach((name, values) -> all.writeBytes((name + ": " + values + "\n").getBytes(UTF_8)));
            all.writeBytes("\n".getBytes(UTF_8));
            all.writeBytes(body);
            return all.toByteArray();
        }

        @Override
        public String toString() {
            return name + " " + status;
        }
    }

    synchronized void add(Answer answer) {
        answers.add(answer);
    }

    synchronized List<Answer> all() {
        return List.copyOf(answers);
    }

    static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + json, e);
        }
    }
}
