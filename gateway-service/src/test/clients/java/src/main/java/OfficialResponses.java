import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.ResponseWebSocketOptions;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponsesClientEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** com.openai:openai-java on the Responses API, over HTTP or a WebSocket; its types validate each answer. */
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

    private final UnaryOperator<String> getWeather;
    private final Creator creator;
    private String previous;

    private OfficialResponses(UnaryOperator<String> getWeather, Creator creator) {
        this.getWeather = getWeather;
        this.creator = creator;
    }

    /** One request. */
    private interface Creator {
        Response create(List<ResponseInputItem> input, Optional<String> previous);
    }

    static UnaryOperator<String> open(boolean streaming, UnaryOperator<String> getWeather) {
        return new OfficialResponses(getWeather, (input, previous) -> http(streaming, input, previous))::ask;
    }

    /** Each conversation has a connection, and where it streams also a lane; both are left to the end of the program. */
    static UnaryOperator<String> openWebSocket(boolean streaming, UnaryOperator<String> getWeather) {
        var connection = CLIENT.responses().connect(ResponseWebSocketOptions.defaults());
        if (!streaming) {
            return new OfficialResponses(getWeather, (input, previous) -> {
                connection.send(event(input, previous));
                return connection.finalResponse().validate();
            })::ask;
        }
        var lane = connection.lane("a");
        return new OfficialResponses(getWeather, (input, previous) -> {
            lane.send(event(input, previous));
            return lane.finalResponse().validate();
        })::ask;
    }

    private static ResponsesClientEvent event(List<ResponseInputItem> input, Optional<String> previous) {
        return ResponsesClientEvent.ofResponseCreate(ResponsesClientEvent.ResponseCreate.builder()
                .model(Clients.MODEL)
                .inputOfResponse(input)
                .addTool(TOOL)
                .previousResponseId(previous)
                .build());
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
        var response = creator.create(input, Optional.ofNullable(previous));
        previous = response.id();
        return response;
    }

    private static Response http(boolean streaming, List<ResponseInputItem> input, Optional<String> previous) {
        var params = ResponseCreateParams.builder()
                .model(Clients.MODEL)
                .inputOfResponse(input)
                .addTool(TOOL)
                .previousResponseId(previous)
                .build();
        return streaming ? stream(params) : CLIENT.responses().create(params).validate();
    }

    private static Response stream(ResponseCreateParams params) {
        var accumulator = ResponseAccumulator.create();
        try (var stream = CLIENT.responses().createStreaming(params)) {
            stream.stream().forEach(event -> accumulator.accumulate(event.validate()));
        }
        return accumulator.response();
    }
}
