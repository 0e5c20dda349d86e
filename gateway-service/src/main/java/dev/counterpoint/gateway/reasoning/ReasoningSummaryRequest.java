package dev.counterpoint.gateway.reasoning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The body of `POST …/reasoning_summary`; each member may be missing.
///
/// @param summary how detailed: `auto`, `concise` or `detailed`
/// @param encryptedContent the response's sealed reasoning as its caller got it, oldest first; null to look for it
///     here
/// @param model that reasoned; null for what is known of the response
public record ReasoningSummaryRequest(
        @Nullable String summary,
        @Nullable List<String> encryptedContent,
        @Nullable String model) {
    public ReasoningSummaryRequest {
        encryptedContent = encryptedContent == null ? null : List.copyOf(encryptedContent);
    }

    @Override
    public String toString() {
        return "ReasoningSummaryRequest[" + summary + "]";
    }
}
