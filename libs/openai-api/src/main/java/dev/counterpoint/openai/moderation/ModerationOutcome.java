package dev.counterpoint.openai.moderation;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The verdict of moderation on one text, or the reason for its absence.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ModerationOutcome {
    /// @param categories whether each category applies
    /// @param categoryScores how sure the model is, 0 to 1
    /// @param categoryAppliedInputTypes what the score is of: `text`, `image`
    @JsonTypeName("moderation_result")
    record Result(
            String model,
            boolean flagged,
            Map<String, Boolean> categories,
            Map<String, Double> categoryScores,
            Map<String, List<String>> categoryAppliedInputTypes)
            implements ModerationOutcome {
        public Result {
            categories = Collections.unmodifiableMap(new LinkedHashMap<>(categories));
            categoryScores = Collections.unmodifiableMap(new LinkedHashMap<>(categoryScores));
            categoryAppliedInputTypes = Collections.unmodifiableMap(new LinkedHashMap<>(categoryAppliedInputTypes));
        }
    }

    @JsonTypeName("error")
    record Error(String code, String message) implements ModerationOutcome {}

    /// An outcome that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ModerationOutcome {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
