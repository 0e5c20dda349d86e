package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the code interpreter runs: a container's id, or one that the provider makes.
public sealed interface CodeContainer {
    record Id(@JsonValue String id) implements CodeContainer {}

    /// `type` is `auto`, `memoryLimit` is `1g`, `4g`, `16g` or `64g`.
    record Auto(
            String type,
            @Nullable List<String> fileIds,
            @Nullable String memoryLimit,
            @Nullable NetworkPolicy networkPolicy,
            Others others)
            implements CodeContainer {
        public Auto {
            fileIds = fileIds == null ? null : List.copyOf(fileIds);
        }
    }
}
