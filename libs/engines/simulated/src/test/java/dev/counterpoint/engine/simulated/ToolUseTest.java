package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.simulated.DeclaredTool.Parameter;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolUseTest {
    private static final Message PARIS_CALL =
            Message.call("functions.get_weather", "commentary", "json", "{\"location\":\"Paris\"}");
    private static final Message PARIS_RESULT =
            Message.toolResult("functions.get_weather", "{\"temperature\":18.5,\"condition\":\"cloudy\"}");

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        What is the weather like in Paris today?      | functions.get_weather {"location":"Paris"}
        weather for Rome in fahrenheit please | functions.get_weather {"location":"Rome","unit":"fahrenheit"}
        will it rain in tokyo?                        | functions.get_weather {"location":"Tokyo"}
        Get me the current weather for 10001.         | functions.get_weather {"location":"10001"}
        Send an email to ilan@example.com saying hi   | functions.send_email {"to":"ilan@example.com","body":"hi"}
        Use the calculator: what is 12 * 12?          | functions.calculator {"expression":"12 * 12"}
        What's the weather? | To answer that I need to know the location. Which should I use?
        """)
    void callsTheToolThatFitsWithArgumentsFromTheQuestion(String question, String expected) {
        assertThat(withTools(question).output().callOrAnswer()).isEqualTo(expected);
    }

    @Test
    void fillsSeveralArgumentsByNameAndType() {
        var question = "Book a flight from Berlin to New York on 2025-07-01 for 2 passengers";

        assertThat(withTools(question).output().callOrAnswer())
                .isEqualTo("functions.book_flight {\"origin\":\"Berlin\",\"destination\":\"New York\","
                        + "\"date\":\"2025-07-01\",\"passengers\":2}");
    }

    @Test
    void answersInWordsWhenNoToolFits() {
        assertThat(withTools("What is the capital of France?").answer()).contains("capital and France");
    }

    @Test
    void spellsACallAsTheModelDoes() {
        var output = Talk.user("Weather in Paris?").weatherTool().output();

        assertThat(HarmonyMarkup.decode(output.ids(), 0, output.ids().length))
                .endsWith(HarmonyMarkup.START + "assistant" + HarmonyMarkup.CHANNEL
                        + "commentary to=functions.get_weather "
                        + HarmonyMarkup.CONSTRAIN + "json" + HarmonyMarkup.MESSAGE + "{\"location\":\"Paris\"}"
                        + HarmonyMarkup.CALL);
        assertThat(output.ids()[output.ids().length - 1]).isEqualTo(SpecialTokens.CALL);
    }

    @Test
    void callsNothingThatIsNotDeclared() {
        assertThat(Talk.user("Call get_weather for Paris!").output().messages())
                .allMatch(message -> message.recipient() == null);
    }

    @Test
    void answersWithTheValuesOfTheResult() {
        var talk = Talk.user("What is the weather in Paris?")
                .weatherTool()
                .then(PARIS_CALL)
                .then(PARIS_RESULT);

        assertThat(talk.answer())
                .isEqualTo("According to get_weather for Paris: temperature is 18.5, condition" + " is cloudy.");
    }

    @Test
    void remembersTheReasoningOfTheOpenTurnWhenThePromptStillHoldsIt() {
        // Given
        var question = "What is the weather in Paris?";
        var earlier = Talk.user(question).weatherTool().output().analysis();
        var withNotes = Talk.user(question)
                .weatherTool()
                .then(Message.assistant("analysis", earlier))
                .then(PARIS_CALL)
                .then(PARIS_RESULT);
        var withoutNotes = Talk.user(question).weatherTool().then(PARIS_CALL).then(PARIS_RESULT);

        // When
        var remembered = withNotes.output().analysis();
        var forgotten = withoutNotes.output().analysis();

        // Then
        assertThat(remembered)
                .contains(
                        "Earlier I noted: “From the user's words I take the arguments" + " {\"location\":\"Paris\"}.”");
        assertThat(forgotten).doesNotContain("Earlier I noted");
    }

    @Test
    void asksTheToolForEachCityInTurn() {
        var question = "Compare the weather in Paris and London.";
        var first = Talk.user(question).weatherTool().output();
        var second = Talk.user(question)
                .weatherTool()
                .then(PARIS_CALL)
                .then(PARIS_RESULT)
                .output();
        var last = Talk.user(question)
                .weatherTool()
                .then(PARIS_CALL)
                .then(PARIS_RESULT)
                .then(Message.call("functions.get_weather", "commentary", "json", "{\"location\":\"London\"}"))
                .then(Message.toolResult("functions.get_weather", "rainy, 12 degrees"))
                .output();

        assertThat(first.callOrAnswer()).isEqualTo("functions.get_weather {\"location\":\"Paris\"}");
        assertThat(second.callOrAnswer()).isEqualTo("functions.get_weather {\"location\":\"London\"}");
        assertThat(last.answer()).contains("for Paris: temperature is 18.5").contains("for London: rainy, 12 degrees");
    }

    @Test
    void takesUpTheToolOfTheTurnBefore() {
        var talk = Talk.user("Weather in Paris?")
                .weatherTool()
                .then(PARIS_CALL)
                .then(PARIS_RESULT)
                .then(Message.assistant("final", "18.5 degrees."))
                .then(Message.user("And in London?"));

        assertThat(talk.output().callOrAnswer()).isEqualTo("functions.get_weather {\"location\":\"London\"}");
    }

    @Test
    void putsAResultIntoTheSchemaOfTheAnswer() {
        var talk = Talk.user("What is the weather in Paris?")
                .weatherTool()
                .strict("{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},\"temperature\":{\"type\""
                        + ":\"number\"},"
                        + "\"condition\":{\"enum\":[\"sunny\",\"cloudy\"]}},\"required\":[\"city\",\"temperature\",\"co"
                        + "ndition\"]}")
                .then(PARIS_CALL)
                .then(PARIS_RESULT);

        assertThat(talk.answer()).isEqualTo("{\"city\":\"Paris\",\"temperature\":18.5,\"condition\":\"cloudy\"}");
    }

    @Test
    void takesTheStepsOfAQuestionInTheirOrder() {
        var question = "Fetch the availability of ada@example.com on 2025-03-01, then schedule the interview, and"
                + " finally send the emails.";
        var called = new ArrayList<String>();
        var talk = steps(question);
        for (var result : List.of("{\"slot\":\"2025-03-01T10:00\"}", "{\"id\":7}", "{\"sent\":1}")) {
            var call = talk.output().messages().getLast();
            called.add(call.recipient());
            talk.then(Message.call(String.valueOf(call.recipient()), "commentary", "json", call.text()))
                    .then(Message.toolResult(String.valueOf(call.recipient()), result));
        }

        assertThat(called)
                .containsExactly(
                        "functions.fetch_availability", "functions.schedule_interviews", "functions.send_emails");
        assertThat(talk.output().callOrAnswer()).contains("sent is 1");
    }

    private static Talk steps(String question) {
        return Talk.user(question)
                .tool("send_emails", "Sends emails.", parameters("to"))
                .tool("schedule_interviews", "Schedules interviews.", parameters("slot"))
                .tool("fetch_availability", "Fetches the availability of a person.", parameters("email"));
    }

    private static String parameters(String name) {
        return "{\"type\":\"object\",\"properties\":{\"" + name + "\":{\"type\":\"string\"}},\"required\":[\"" + name
                + "\"]}";
    }

    @Test
    void readsEveryKindOfParameterBackFromTheDeclaration() {
        var tools = DeclaredTool.read("""
            # Tools

            ## functions

            namespace functions {

            // Gets the location of the user.
            type get_location = () => any;

            // A function with
            // two lines.
            type everything = (_: {
            // A number
            count: number,
            flag?: boolean, // default: true
            unit?: "celsius" | "fahrenheit", // default: celsius
            tags?: string[],
            maybe?: string | null,
            either?:
             | string // default: "x"
             | number // numbers can happen too
            ,
            inner:     // inner object
            {
                // a street
                street: string,
                },
            last?: string,
            }) => any;

            } // namespace functions\
            """);

        assertThat(tools).extracting(DeclaredTool::name).containsExactly("get_location", "everything");
        var everything = tools.getLast();
        assertThat(everything.description()).isEqualTo("A function with two lines.");
        assertThat(everything.parameters())
                .extracting(Parameter::name)
                .containsExactly("count", "flag", "unit", "tags", "maybe", "either", "inner", "last");
        assertThat(everything.parameters())
                .extracting(Parameter::type)
                .startsWith("number", "boolean", "\"celsius\" | \"fahrenheit\"", "string[]", "string | null");
        assertThat(everything.parameters())
                .filteredOn(Parameter::required)
                .extracting(Parameter::name)
                .containsExactly("count", "inner");
    }

    private static Talk withTools(String question) {
        return Talk.user(question)
                .weatherTool()
                .tool("send_email", "Send an email to a recipient.", """
                    {"type":"object","properties":{
                     "to":{"type":"string","description":"The recipient's email address."},
                     "body":{"type":"string","description":"Body of the message."}},"required":["to","body"]}\
                    """)
                .tool("book_flight", "Books a flight.", """
                    {"type":"object","properties":{"origin":{"type":"string"},"destination":{"type":"string"},
                     "date":{"type":"string","format":"date"},"passengers":{"type":"integer"}},
                     "required":["origin","destination","date","passengers"]}\
                    """)
                .tool(
                        "calculator",
                        "Evaluates an arithmetic expression.",
                        "{\"type\":\"object\",\"properties\":{\"expression\":{\"type\":\"string\"}},\"required\":[\"e"
                                + "xpression\"]}");
    }
}
