package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.moderation.ModerationOutcome;
import java.util.List;

/// What moderation found in a completion's input and output.
public record ChatModeration(Findings input, Findings output) {
    /// The verdict of moderation on each text, or the reason for its absence.
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    public sealed interface Findings {
        @JsonTypeName("moderation_results")
        record Results(String model, List<ModerationOutcome.Result> results) implements Findings {
            public Results {
                results = List.copyOf(results);
            }
        }

        @JsonTypeName("error")
        record Error(String code, String message) implements Findings {}

        /// Findings that this library does not know, kept as they came.
        record Unknown(@JsonValue ObjectNode raw) implements Findings {
            public String type() {
                return raw.path("type").asText();
            }
        }
    }
}
