import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** com.openai:openai-java on Chat Completions. */
final class OfficialChat {
    private static final OpenAIClient CLIENT =
            OpenAIOkHttpClient.builder().baseUrl(Clients.URL).apiKey(Clients.KEY).maxRetries(0).build();

    private final ChatCompletionCreateParams.Builder conversation = ChatCompletionCreateParams.builder()
            .model(Clients.MODEL)
            .messages(List.of())
            .addFunctionTool(FunctionDefinition.builder()
                    .name(Clients.TOOL)
                    .description(Clients.DESCRIPTION)
                    .parameters(FunctionParameters.builder()
                            .putAdditionalProperty("type", JsonValue.from("object"))
                            .putAdditionalProperty(
                                    "properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
                            .putAdditionalProperty("required", JsonValue.from(List.of("city")))
                            .build())
                    .build());
    private final boolean streaming;
    private final UnaryOperator<String> getWeather;

    private OfficialChat(boolean streaming, UnaryOperator<String> getWeather) {
        this.streaming = streaming;
        this.getWeather = getWeather;
    }

    static UnaryOperator<String> open(boolean streaming, UnaryOperator<String> getWeather) {
        return new OfficialChat(streaming, getWeather)::ask;
    }

    private String ask(String question) {
        conversation.addUserMessage(question);
        var message = create();
        while (message.toolCalls().filter(calls -> !calls.isEmpty()).isPresent()) {
            for (var call : message.toolCalls().orElseThrow()) {
                conversation.addMessage(ChatCompletionToolMessageParam.builder()
                        .toolCallId(call.asFunction().id())
                        .content(getWeather.apply(call.asFunction().function().arguments()))
                        .build());
            }
            message = create();
        }
        return message.content().orElse("");
    }

    private ChatCompletionMessage create() {
        var completion = streaming
                ? stream()
                : CLIENT.chat().completions().create(conversation.build()).validate();
        var message = completion.choices().get(0).message();
        conversation.addMessage(message);
        return message;
    }

    private ChatCompletion stream() {
        var accumulator = ChatCompletionAccumulator.create();
        try (var stream = CLIENT.chat().completions().createStreaming(conversation.build())) {
            stream.stream().forEach(chunk -> accumulator.accumulate(chunk.validate()));
        }
        return accumulator.chatCompletion();
    }
}
