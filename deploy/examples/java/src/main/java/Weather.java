import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionToolChoiceOption;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ToolChoiceOptions;
import java.util.List;
import java.util.Map;

/** A tool round trip and a second turn with the official library: Responses, then Chat Completions. */
public final class Weather {
    private static final String MODEL = System.getenv("COUNTERPOINT_MODEL");
    private static final String QUESTION =
            StandIn.scripted("What is the weather in Paris?", "call: get_weather {\"city\": \"Paris\"}");
    private static final Map<String, Object> PARAMETERS = Map.of(
            "type", "object",
            "properties", Map.of("city", Map.of("type", "string")),
            "required", List.of("city"),
            "additionalProperties", false);

    public static void main(String[] args) throws Exception {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(System.getenv("COUNTERPOINT_URL") + "/v1")
                .apiKey(System.getenv("COUNTERPOINT_API_KEY"))
                .build();
        responses(client);
        chat(client);
        client.close();
    }

    private static String getWeather(String arguments) throws Exception {
        var city = new ObjectMapper().readTree(arguments).get("city").asText();
        return new ObjectMapper().writeValueAsString(Map.of("city", city, "temperature_celsius", 21, "sky", "sunny"));
    }

    private static void responses(OpenAIClient client) throws Exception {
        System.out.println("== Responses");
        var parameters = FunctionTool.Parameters.builder();
        PARAMETERS.forEach((name, value) -> parameters.putAdditionalProperty(name, JsonValue.from(value)));
        var tool = FunctionTool.builder()
                .name("get_weather")
                .description("Current weather of a city")
                .parameters(parameters.build())
                .strict(true)
                .build();
        // Small models need to be told that the tool comes first.
        Response first = client.responses()
                .create(ResponseCreateParams.builder()
                        .model(MODEL)
                        .input(QUESTION)
                        .addTool(tool)
                        .toolChoice(ToolChoiceOptions.REQUIRED)
                        .build());
        ResponseFunctionToolCall call = first.output().stream()
                .filter(ResponseOutputItem::isFunctionCall)
                .map(ResponseOutputItem::asFunctionCall)
                .findFirst()
                .orElseThrow();
        System.out.println("the model calls: " + call.name() + " " + call.arguments());

        var result = ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                .callId(call.callId())
                .output(getWeather(call.arguments()))
                .build());
        var accumulator = ResponseAccumulator.create();
        try (var stream = client.responses()
                .createStreaming(ResponseCreateParams.builder()
                        .model(MODEL)
                        .previousResponseId(first.id())
                        .inputOfResponse(List.of(result))
                        .addTool(tool)
                        .build())) {
            stream.stream().peek(accumulator::accumulate).forEach(event ->
                    event.outputTextDelta().ifPresent(delta -> System.out.print(delta.delta())));
        }
        System.out.println();
        var second = client.responses()
                .create(ResponseCreateParams.builder()
                        .model(MODEL)
                        .previousResponseId(accumulator.response().id())
                        .input("How many letters are in Paris?")
                        .build());
        second.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .forEach(text -> System.out.println("second turn: " + text.text()));
    }

    private static void chat(OpenAIClient client) throws Exception {
        System.out.println("== Chat Completions");
        var parameters = FunctionParameters.builder();
        PARAMETERS.forEach((name, value) -> parameters.putAdditionalProperty(name, JsonValue.from(value)));
        var conversation = ChatCompletionCreateParams.builder()
                .model(MODEL)
                .addUserMessage(QUESTION)
                .addFunctionTool(FunctionDefinition.builder()
                        .name("get_weather")
                        .description("Current weather of a city")
                        .parameters(parameters.build())
                        .strict(true)
                        .build())
                .toolChoice(ChatCompletionToolChoiceOption.Auto.REQUIRED);
        var message = client.chat().completions().create(conversation.build()).choices().get(0).message();
        var call = message.toolCalls().orElseThrow().get(0).asFunction();
        System.out.println("the model calls: " + call.function().name() + " " + call.function().arguments());
        conversation
                .toolChoice(ChatCompletionToolChoiceOption.Auto.AUTO)
                .addMessage(message)
                .addMessage(ChatCompletionToolMessageParam.builder()
                        .toolCallId(call.id())
                        .content(getWeather(call.function().arguments()))
                        .build());
        var accumulator = ChatCompletionAccumulator.create();
        try (var stream = client.chat().completions().createStreaming(conversation.build())) {
            stream.stream().peek(accumulator::accumulate).forEach(chunk -> chunk.choices()
                    .forEach(choice -> choice.delta().content().ifPresent(System.out::print)));
        }
        System.out.println();
        var answer = accumulator.chatCompletion().choices().get(0).message().content().orElse("");
        if (StandIn.CHECKED && !answer.contains("21")) {
            throw new IllegalStateException("the answer does not use the result of the tool");
        }
    }
}
