package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a web search did.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface WebSearchAction {
    /// Searched; `sources` only where the request includes them.
    @JsonTypeName("search")
    record Search(
            @Nullable String query,
            @Nullable List<String> queries,
            @Nullable List<Source> sources,
            Others others) implements WebSearchAction {
        public Search {
            queries = queries == null ? null : List.copyOf(queries);
            sources = sources == null ? null : List.copyOf(sources);
        }
    }

    @JsonTypeName("open_page")
    record OpenPage(@Nullable String url, Others others) implements WebSearchAction {}

    @JsonTypeName("find_in_page")
    record FindInPage(String url, String pattern, Others others) implements WebSearchAction {}

    /// An action that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements WebSearchAction {}

    /// A page that was found; `type` is `url`.
    record Source(String type, String url, Others others) {}
}
