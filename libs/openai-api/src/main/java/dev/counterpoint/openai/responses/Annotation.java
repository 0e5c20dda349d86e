package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// A source that output text refers to; indexes count characters of that text.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface Annotation {
    @JsonTypeName("url_citation")
    record UrlCitation(String url, int startIndex, int endIndex, String title, Others others) implements Annotation {}

    @JsonTypeName("file_citation")
    record FileCitation(String fileId, int index, String filename, Others others) implements Annotation {}

    @JsonTypeName("container_file_citation")
    record ContainerFileCitation(
            String containerId, String fileId, int startIndex, int endIndex, String filename, Others others)
            implements Annotation {}

    @JsonTypeName("file_path")
    record FilePath(String fileId, int index, Others others) implements Annotation {}

    /// A kind that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements Annotation {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
