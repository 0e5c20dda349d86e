package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.openai.json.InvalidMember;
import org.jspecify.annotations.Nullable;

/// How the model is to reason, and what of it to show.
///
/// @param effort `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`
/// @param summary `auto`, `concise` or `detailed`; null asks for no summary
/// @param generateSummary the older name of `summary`, and excludes it
/// @param context `auto`, `current_turn` or `all_turns`
/// @param mode `standard` or `pro`
public record ReasoningOptions(
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String effort,
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String summary,
        @Nullable String generateSummary,
        @Nullable String context,
        @Nullable String mode)
        implements ReasoningWish {
    /// @throws InvalidMember when both names of the summary are used
    public ReasoningOptions {
        if (summary != null && generateSummary != null) {
            throw new InvalidMember("generate_summary", "it excludes 'summary'");
        }
    }
}
