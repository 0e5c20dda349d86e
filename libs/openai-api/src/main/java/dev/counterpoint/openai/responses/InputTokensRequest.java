package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of `POST /v1/responses/input_tokens`; members as in [CreateResponse].
///
/// @param personality how the model is to sound, as in `friendly`
/// @param otherMembers what the body held besides, by its wire name
public record InputTokensRequest(
        @Nullable String model,
        @Nullable Input input,
        @Nullable String instructions,
        @Nullable String previousResponseId,
        @Nullable ConversationParam conversation,
        @Nullable ReasoningOptions reasoning,
        @Nullable TextOptions text,
        @Nullable List<Tool> tools,
        @Nullable ToolChoice toolChoice,
        @Nullable Boolean parallelToolCalls,
        @Nullable String truncation,
        @Nullable String personality,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> otherMembers) {
    public InputTokensRequest {
        tools = tools == null ? null : List.copyOf(tools);
        otherMembers = Collections.unmodifiableMap(new LinkedHashMap<>(otherMembers));
    }
}
