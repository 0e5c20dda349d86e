import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.StructuredResponseCreateParams;
import io.swagger.v3.oas.annotations.media.Schema;

/** Glasses that read an answer aloud and show a short form of it: the class is the answer's schema. */
public final class Glasses {
    /** The schema holds the model to these patterns; the descriptions say what they are for. */
    public static final class Answer {
        @JsonPropertyDescription("Read aloud by a voice: numbers and acronyms are written out in full.")
        @Schema(pattern = "^[^0-9]+$")
        public String voiceover;

        @JsonPropertyDescription("Shown on the lens, which has room for five words.")
        @Schema(pattern = "^\\S+( \\S+){0,4}$")
        public String display;
    }

    private static final String QUESTION = StandIn.scripted("How tall is a giraffe?", """
            say: {"voiceover": "A giraffe is about eighteen feet tall.", "display": "Giraffe is 18 feet"}""");

    public static void main(String[] args) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(System.getenv("COUNTERPOINT_URL") + "/v1")
                .apiKey(System.getenv("COUNTERPOINT_API_KEY"))
                .build();
        StructuredResponseCreateParams<Answer> request = ResponseCreateParams.builder()
                .model(System.getenv("COUNTERPOINT_MODEL"))
                .input(QUESTION)
                .text(Answer.class)
                .build();

        System.out.println("== Whole");
        client.responses().create(request).output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .forEach(Glasses::show);

        System.out.println("== Streaming");
        var accumulator = ResponseAccumulator.create();
        try (var stream = client.responses().createStreaming(request)) {
            stream.stream().peek(accumulator::accumulate).forEach(event ->
                    event.outputTextDelta().ifPresent(delta -> System.out.print(delta.delta())));
        }
        System.out.println();
        accumulator.response(Answer.class).output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .forEach(Glasses::show);
        client.close();
    }

    private static void show(Answer answer) {
        System.out.println("aloud: " + answer.voiceover);
        System.out.println("lens:  " + answer.display);
        if (!answer.voiceover.matches("[^0-9]+") || answer.display.split(" ").length > 5) {
            throw new IllegalStateException("the answer breaks its schema");
        }
    }
}
