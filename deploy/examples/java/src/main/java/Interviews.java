import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ToolChoiceFunction;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import java.util.ArrayList;
import java.util.List;

/** A workflow of three functions; each is strict and feeds the next, so that no step fails for its arguments' form. */
public final class Interviews {
    @JsonTypeName("fetch_availability")
    @JsonClassDescription("Fetches the times at which all interviewers are free.")
    public static final class FetchAvailability {
        @ArraySchema(minItems = 1, maxItems = 5)
        public List<String> interviewers;
    }

    public static final class Interview {
        public String candidate;

        @ArraySchema(maxItems = 5)
        public List<String> interviewers;

        public String slot;
    }

    @JsonTypeName("schedule_interviews")
    @JsonClassDescription("Schedules interviews, each in a free slot.")
    public static final class ScheduleInterviews {
        @ArraySchema(minItems = 1, maxItems = 5)
        public List<Interview> interviews;
    }

    public static final class Email {
        public String candidate;
        public String subject;
        public String body;
    }

    @JsonTypeName("send_emails")
    @JsonClassDescription("Sends an email to each candidate who has an interview.")
    public static final class SendEmails {
        @ArraySchema(minItems = 1, maxItems = 5)
        public List<Email> emails;
    }

    private static final List<Class<?>> STEPS =
            List.of(FetchAvailability.class, ScheduleInterviews.class, SendEmails.class);
    private static final List<String> FREE = List.of("Monday 10:00", "Tuesday 14:00");

    private static final String TASK = StandIn.scripted(
            "Schedule an interview of Greg Carlson with Michelle and Olivier, and tell him by email.", """
            call: fetch_availability {"interviewers": ["Michelle", "Olivier"]}
            call: schedule_interviews {"interviews": [{"candidate": "Greg Carlson", \
            "interviewers": ["Michelle", "Olivier"], "slot": "Monday 10:00"}]}
            call: send_emails {"emails": [{"candidate": "Greg Carlson", "subject": "Your interview", \
            "body": "We meet on Monday at ten."}]}""");

    public static void main(String[] args) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(System.getenv("COUNTERPOINT_URL") + "/v1")
                .apiKey(System.getenv("COUNTERPOINT_API_KEY"))
                .build();
        var conversation = new ArrayList<ResponseInputItem>();
        conversation.add(ResponseInputItem.ofEasyInputMessage(EasyInputMessage.builder()
                .role(EasyInputMessage.Role.USER)
                .content(TASK)
                .build()));
        for (var step : STEPS) {
            var name = step.getAnnotation(JsonTypeName.class).value();
            var request = ResponseCreateParams.builder()
                    .model(System.getenv("COUNTERPOINT_MODEL"))
                    .inputOfResponse(conversation)
                    // The program says which function is next; the model says with what.
                    .toolChoice(ToolChoiceFunction.builder().name(name).build());
            STEPS.forEach(request::addTool); // a schema from each class, strict
            var call = client.responses().create(request.build()).output().stream()
                    .flatMap(item -> item.functionCall().stream())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the model did not call " + name));
            System.out.println(name + " " + call.arguments());
            var result = run(call);
            System.out.println("    " + result);
            conversation.add(ResponseInputItem.ofFunctionCall(call));
            conversation.add(ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                    .callId(call.callId())
                    .output(result)
                    .build()));
        }
        client.close();
    }

    /** Does what the model asks for. Only here it is known what is free and who is a candidate: the model is told. */
    private static String run(ResponseFunctionToolCall call) {
        return switch (call.name()) {
            case "fetch_availability" -> {
                call.arguments(FetchAvailability.class);
                yield "{\"slots\": [\"" + String.join("\", \"", FREE) + "\"]}";
            }
            case "schedule_interviews" -> {
                boolean free = call.arguments(ScheduleInterviews.class).interviews.stream()
                        .allMatch(interview -> FREE.contains(interview.slot));
                yield free ? "{\"scheduled\": true}" : "{\"scheduled\": false, \"error\": \"the slot is not free\"}";
            }
            default -> {
                boolean known = call.arguments(SendEmails.class).emails.stream()
                        .allMatch(email -> email.candidate.equals("Greg Carlson"));
                yield known ? "{\"sent\": true}" : "{\"sent\": false, \"error\": \"nobody of that name\"}";
            }
        };
    }
}
