package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A piece of a file that a search found.
///
/// @param attributes of the file, as its owner gave them: texts, numbers and booleans
/// @param score how well it fits, 0 to 1
public record FileSearchResult(
        @Nullable String fileId,
        @Nullable String text,
        @Nullable String filename,
        @Nullable Map<String, Scalar> attributes,
        @Nullable Double score,
        Others others) {
    public FileSearchResult {
        attributes = attributes == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }
}
