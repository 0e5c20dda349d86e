package dev.counterpoint.openai.contract;

import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.error.ErrorBody;
import dev.counterpoint.openai.models.Model;
import dev.counterpoint.openai.models.ModelList;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.Map;

/// What travels on its own: the bodies of the paths and the events of their streams.
final class Bodies {
    static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry("CreateResponse", CreateResponse.class),
            Map.entry("Response", ResponseObject.class),
            Map.entry("ResponseStreamEvent", StreamEvent.class),
            Map.entry("CreateChatCompletionRequest", ChatRequest.class),
            Map.entry("CreateChatCompletionResponse", ChatCompletion.class),
            Map.entry("CreateChatCompletionStreamResponse", ChatChunk.class),
            Map.entry("Model", Model.class),
            Map.entry("ListModelsResponse", ModelList.class),
            Map.entry("ErrorResponse", ErrorBody.class));

    private Bodies() {}
}
