import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** com.openai:openai-java on the Responses API; what comes is validated by its types. */
final class OfficialResponses {
    private static final OpenAIClient CLIENT =
            OpenAIOkHttpClient.builder().baseUrl(Clients.URL).apiKey(Clients.KEY).maxRetries(0).build();
    private static final FunctionTool TOOL = FunctionTool.builder()
            .name(Clients.TOOL)
            .description(Clients.DESCRIPTION)
            .parameters(FunctionTool.Parameters.builder()
                    .putAdditionalProperty("type", JsonValue.from("object"))
                    .putAdditionalProperty("properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
                    .putAdditionalProperty("required", JsonValue.from(List.of("city")))
                    .putAdditionalProperty("additionalProperties", JsonValue.from(false))
                    .build())
            .strict(true)
            .build();

    private final boolean streaming;
    private final UnaryOperator<String> getWeather;
    private String previous;

    private OfficialResponses(boolean streaming, UnaryOperator<String> getWeather) {
        this.streaming = streaming;
        this.getWeather = getWeather;
    }

    static UnaryOperator<String> open(boolean streaming, UnaryOperator<String> getWeather) {
        return new OfficialResponses(streaming, getWeather)::ask;
    }

    private String ask(String question) {
        var response = create(List.of(ResponseInputItem.ofEasyInputMessage(EasyInputMessage.builder()
                .role(EasyInputMessage.Role.USER)
                .content(question)
                .build())));
        while (response.output().stream().anyMatch(ResponseOutputItem::isFunctionCall)) {
            response = create(response.output().stream()
                    .flatMap(item -> item.functionCall().stream())
                    .map(call -> ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                            .callId(call.callId())
                            .output(getWeather.apply(call.arguments()))
                            .build()))
                    .toList());
        }
        return String.join("", response.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .map(text -> text.text())
                .toList());
    }

    private Response create(List<ResponseInputItem> input) {
        var params = ResponseCreateParams.builder().model(Clients.MODEL).inputOfResponse(input).addTool(TOOL);
        if (previous != null) {
            params.previousResponseId(previous);
        }
        var response = streaming
                ? stream(params.build())
                : CLIENT.responses().create(params.build()).validate();
        previous = response.id();
        return response;
    }

    private static Response stream(ResponseCreateParams params) {
        var accumulator = ResponseAccumulator.create();
        try (var stream = CLIENT.responses().createStreaming(params)) {
            stream.stream().forEach(event -> accumulator.accumulate(event.validate()));
        }
        return accumulator.response();
    }
}
