package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.counterpoint.engine.http.ServerFailure;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

final class EventJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    /// vLLM's first event repeats the prompt: 0.9 MB where that has 131,072 tokens.
    private static final TokenFilter WITHOUT_PROMPT = new TokenFilter() {
        @Override
        public @Nullable TokenFilter includeProperty(String name) {
            return name.equals("prompt_token_ids") ? null : this;
        }

        @Override
        public boolean includeEmptyArray(boolean filtered) {
            return true;
        }

        @Override
        public boolean includeEmptyObject(boolean filtered) {
            return true;
        }
    };

    private EventJson() {}

    static JsonNode parse(String event) throws ServerFailure {
        try (var parser = new FilteringParserDelegate(
                JSON.createParser(event), WITHOUT_PROMPT, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true)) {
            JsonNode read = JSON.readTree(parser);
            return read == null ? MissingNode.getInstance() : read;
        } catch (IOException e) {
            throw ServerFailure.wrong("an event is not JSON");
        }
    }
}
