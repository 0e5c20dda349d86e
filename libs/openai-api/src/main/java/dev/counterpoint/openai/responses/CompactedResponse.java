package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/// The answer of `POST /v1/responses/compact`: what to send instead of the conversation.
///
/// @param createdAt seconds since 1970
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("response.compaction")
public record CompactedResponse(String id, long createdAt, List<StoredItem> output, Usage usage) {
    public CompactedResponse {
        output = List.copyOf(output);
    }
}
