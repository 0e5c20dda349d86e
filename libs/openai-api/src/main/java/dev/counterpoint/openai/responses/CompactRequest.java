package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.PromptCacheWish;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of `POST /v1/responses/compact`; members as in [CreateResponse].
///
/// @param otherMembers what the body held besides, by its wire name
public record CompactRequest(
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String model,
        @Nullable Input input,
        @Nullable String previousResponseId,
        @Nullable String instructions,
        @Nullable String promptCacheKey,
        @Nullable String promptCacheRetention,
        @Nullable PromptCacheWish promptCacheOptions,
        @Nullable String serviceTier,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> otherMembers) {
    public CompactRequest {
        otherMembers = Collections.unmodifiableMap(new LinkedHashMap<>(otherMembers));
    }
}
