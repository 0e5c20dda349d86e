package dev.counterpoint.openai.contract;

import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatCompletionDeleted;
import dev.counterpoint.openai.chat.ChatCompletionList;
import dev.counterpoint.openai.chat.ChatCompletionUpdate;
import dev.counterpoint.openai.chat.ChatMessageList;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.conversations.AddItems;
import dev.counterpoint.openai.conversations.ConversationDeleted;
import dev.counterpoint.openai.conversations.ConversationObject;
import dev.counterpoint.openai.conversations.CreateConversation;
import dev.counterpoint.openai.conversations.UpdateConversation;
import dev.counterpoint.openai.error.ErrorBody;
import dev.counterpoint.openai.models.Model;
import dev.counterpoint.openai.models.ModelDeleted;
import dev.counterpoint.openai.models.ModelList;
import dev.counterpoint.openai.responses.CompactRequest;
import dev.counterpoint.openai.responses.CompactedResponse;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.InputTokens;
import dev.counterpoint.openai.responses.InputTokensRequest;
import dev.counterpoint.openai.responses.ItemList;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.StoredItem;
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
            Map.entry("ChatCompletionList", ChatCompletionList.class),
            Map.entry("ChatCompletionMessageList", ChatMessageList.class),
            Map.entry("ChatCompletionDeleted", ChatCompletionDeleted.class),
            Map.entry("updateChatCompletionRequest", ChatCompletionUpdate.class),
            Map.entry("CompactResource", CompactedResponse.class),
            Map.entry("CompactResponseMethodPublicBody", CompactRequest.class),
            Map.entry("TokenCountsBody", InputTokensRequest.class),
            Map.entry("TokenCountsResource", InputTokens.class),
            Map.entry("ResponseItemList", ItemList.class),
            Map.entry("ConversationItem", StoredItem.class),
            Map.entry("ConversationItemList", ItemList.class),
            Map.entry("ConversationResource", ConversationObject.class),
            Map.entry("CreateConversationBody", CreateConversation.class),
            Map.entry("UpdateConversationBody", UpdateConversation.class),
            Map.entry("DeletedConversationResource", ConversationDeleted.class),
            Map.entry("createConversationItemsRequest", AddItems.class),
            Map.entry("DeleteModelResponse", ModelDeleted.class),
            Map.entry("Model", Model.class),
            Map.entry("ListModelsResponse", ModelList.class),
            Map.entry("ErrorResponse", ErrorBody.class));

    private Bodies() {}
}
