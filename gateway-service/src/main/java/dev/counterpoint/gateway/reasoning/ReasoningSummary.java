package dev.counterpoint.gateway.reasoning;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.openai.responses.SummaryText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer of `POST …/reasoning_summary`.
///
/// @param id of the response that reasoned
/// @param summary its parts; empty where none can be had
/// @param reasoningSummaryTier how it came about; null where nothing is shown
/// @param reasoningUnavailable true where there is no summary, or not all of it
/// @param warnings why, for people
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("reasoning_summary")
public record ReasoningSummary(
        String id,
        List<SummaryText> summary,
        @Nullable String reasoningSummaryTier,
        @Nullable Boolean reasoningUnavailable,
        @Nullable List<String> warnings) {
    private static final List<String> NOT_KEPT = List.of(
            "reasoning_unavailable: the reasoning of this response is not kept here, or there was none. Send its"
                    + " 'encrypted_content'.");

    public ReasoningSummary {
        summary = List.copyOf(summary);
        warnings = warnings == null ? null : List.copyOf(warnings);
    }

    static ReasoningSummary notKept(String id) {
        return new ReasoningSummary(id, List.of(), null, true, NOT_KEPT);
    }
}
