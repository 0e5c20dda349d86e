import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** dev.langchain4j:langchain4j-open-ai on Chat Completions. */
final class LangChain {
    private static final OpenAiChatModel WHOLE = OpenAiChatModel.builder()
            .baseUrl(Clients.URL)
            .apiKey(Clients.KEY)
            .modelName(Clients.MODEL)
            .maxRetries(0)
            .build();
    private static final OpenAiStreamingChatModel STREAMING = OpenAiStreamingChatModel.builder()
            .baseUrl(Clients.URL)
            .apiKey(Clients.KEY)
            .modelName(Clients.MODEL)
            .returnThinking(true)
            .build();
    private static final ToolSpecification TOOL = ToolSpecification.builder()
            .name(Clients.TOOL)
            .description(Clients.DESCRIPTION)
            .parameters(JsonObjectSchema.builder().addStringProperty("city").required("city").build())
            .build();

    private final List<ChatMessage> messages = new ArrayList<>();
    private final boolean streaming;
    private final UnaryOperator<String> getWeather;

    private LangChain(boolean streaming, UnaryOperator<String> getWeather) {
        this.streaming = streaming;
        this.getWeather = getWeather;
    }

    static UnaryOperator<String> open(boolean streaming, UnaryOperator<String> getWeather) {
        return new LangChain(streaming, getWeather)::ask;
    }

    private String ask(String question) {
        messages.add(UserMessage.from(question));
        var message = next();
        while (message.hasToolExecutionRequests()) {
            for (var request : message.toolExecutionRequests()) {
                messages.add(ToolExecutionResultMessage.from(request, getWeather.apply(request.arguments())));
            }
            message = next();
        }
        return message.text();
    }

    private AiMessage next() {
        var request = ChatRequest.builder().messages(messages).toolSpecifications(TOOL).build();
        var message = (streaming ? stream(request) : WHOLE.chat(request)).aiMessage();
        messages.add(message);
        return message;
    }

    private static ChatResponse stream(ChatRequest request) {
        var answer = new CompletableFuture<ChatResponse>();
        STREAMING.chat(request, new StreamingChatResponseHandler() {
            @Override
            public void onPartialResponse(String text) {}

            @Override
            public void onCompleteResponse(ChatResponse whole) {
                answer.complete(whole);
            }

            @Override
            public void onError(Throwable failure) {
                answer.completeExceptionally(failure);
            }
        });
        return answer.join();
    }
}
