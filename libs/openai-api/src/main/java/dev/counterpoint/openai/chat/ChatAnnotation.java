package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// A source that an answer refers to.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ChatAnnotation {
    @JsonTypeName("url_citation")
    record UrlCitation(Citation urlCitation) implements ChatAnnotation {}

    /// A kind that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ChatAnnotation {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// Indexes count characters of the answer.
    record Citation(int startIndex, int endIndex, String url, String title) {}
}
