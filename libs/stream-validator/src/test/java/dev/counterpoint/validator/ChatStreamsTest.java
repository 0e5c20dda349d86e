package dev.counterpoint.validator;

import static dev.counterpoint.validator.TestStream.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChatStreamsTest {
    private static final String ROLE = "{'index':0,'delta':{'role':'assistant'},'finish_reason':null}";
    private static final String WORD = "{'index':0,'delta':{'content':'Hi'},'finish_reason':null}";
    private static final String STOP = "{'index':0,'delta':{},'finish_reason':'stop'}";
    private static final String CALLS = "{'index':0,'delta':{},'finish_reason':'tool_calls'}";
    private static final String OPENS_CALL =
            call("'index':0,'id':'call_1','type':'function'," + "'function':{'name':'add','arguments':''}");
    private static final String ARGUMENTS = call("'index':0,'function':{'arguments':'{}'}");
    private static final String USAGE = "USAGE";
    private static final String ERROR =
            "{'error':{'message':'It stopped.','type':'server_error','param':null,'code':'server_error'}}";

    @Test
    void whatIsRightIsAccepted() {
        assertThat(violations(ROLE, WORD, STOP)).isEmpty();
        assertThat(violations(ROLE, WORD, STOP, USAGE)).isEmpty();
        assertThat(violations(ROLE, OPENS_CALL, ARGUMENTS, CALLS)).isEmpty();
        assertThat(violations(ROLE, ROLE.replace(":0", ":1"), STOP.replace(":0", ":1"), WORD, STOP))
                .isEmpty();
        assertThat(violations(ROLE, WORD, ERROR)).isEmpty();
        assertThat(violations(ERROR)).isEmpty();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', textBlock = """
            WORD STOP | event 1, chunk: order: the first delta of choice 0 does not say that its role is assistant
            ROLE ROLE STOP | event 2, chunk: order: choice 0 tells its role again
            ROLE WORD | event 3, [DONE]: ending: the stream ends before choice 0 has its finish_reason
            ROLE STOP WORD | event 3, chunk: ending: choice 0 goes on after its finish_reason
            ROLE STOP STOP | event 3, chunk: ending: choice 0 goes on after its finish_reason
            ROLE USAGE STOP | event 2, chunk: ending: the usage comes before choice 0 has its finish_reason
            ROLE STOP USAGE WORD | event 4, chunk: ending: comes after the usage; only [DONE] may
            ROLE ERROR STOP | event 3, chunk: ending: comes after an error; only [DONE] may
            ROLE CALLS | event 2, chunk: ending: choice 0 ends with tool_calls and has no call
            ROLE ARGUMENTS CALLS | event 2, chunk: order: tool call 0 opens without its id, type and name
            ROLE OPENS OPENS CALLS | event 3, chunk: order: tool call 0 is named again; clients would append it
            ROLE MIXED STOP | event 2, chunk: whole: reasoning and reasoning_details of choice 0 do not say the same
            ROLE NO_REASON STOP | event 2, chunk: schema: the member choices[].finish_reason is missing
            """)
    void whatIsWrongIsNamed(String chunks, String violation) {
        var given = Stream.of(chunks.split(" ")).map(ChatStreamsTest::chunk).toArray(String[]::new);

        assertThat(violations(given)).first().isEqualTo(violation);
    }

    private static String chunk(String name) {
        return switch (name) {
            case "ROLE" -> ROLE;
            case "WORD" -> WORD;
            case "STOP" -> STOP;
            case "CALLS" -> CALLS;
            case "OPENS" -> OPENS_CALL;
            case "ARGUMENTS" -> ARGUMENTS;
            case "ERROR" -> ERROR;
            case "MIXED" ->
                "{'index':0,'delta':{'reasoning':'a','reasoning_details':[{'type':'reasoning.text','text':'b'}]},"
                        + "'finish_reason':null}";
            case "NO_REASON" -> "{'index':0,'delta':{'content':'Hi'}}";
            default -> name;
        };
    }

    @Test
    void theMembersOfACompletionStayTheSame() {
        for (var member : List.of("id", "model")) {
            var chunks = bytes(ROLE, WORD, STOP);
            var last = chunks.lastIndexOf("data: {");
            var other = chunks.substring(0, last)
                    + chunks.substring(last).replaceFirst("(\"" + member + "\":\")", "$1other-");

            assertThat(violations(other, ValidatorOptions.DEFAULT))
                    .as(member)
                    .isNotEmpty()
                    .allMatch(violation -> violation.startsWith("event 3, chunk: identity: "));
        }
    }

    @Test
    void aChunkSaysThatItIsOne() {
        var whole = bytes(ROLE, STOP).replaceFirst("chat.completion.chunk", "chat.completion");

        assertThat(violations(whole, ValidatorOptions.DEFAULT))
                .anyMatch(violation -> violation.startsWith("event 1, chunk: schema: "));
    }

    @Test
    void theUsageComesIfAndOnlyIfItWasAskedFor() {
        assertThat(violations(bytes(ROLE, STOP), ValidatorOptions.DEFAULT.includeUsage(true)))
                .containsExactly("event 3, [DONE]: ending: the chunk with the usage is missing, which was asked for");
        assertThat(violations(bytes(ROLE, STOP, USAGE), ValidatorOptions.DEFAULT.includeUsage(false)))
                .containsExactly("event 3, chunk: order: tells the usage, which nobody asked for");
        assertThat(violations(bytes(ROLE, STOP, USAGE), ValidatorOptions.DEFAULT.includeUsage(true)))
                .isEmpty();
    }

    @Test
    void theFramingIsThatOfChunks() {
        var right = bytes(ROLE, WORD, STOP);

        assertThat(violations(right.replace("data: [DONE]\n\n", ""), ValidatorOptions.DEFAULT))
                .containsExactly("end of stream after event 3: framing: data: [DONE] is missing");
        assertThat(violations("event: chunk\n" + right, ValidatorOptions.DEFAULT))
                .containsExactly("event 1, chunk: framing: has an event: line; chunks have none");
        assertThat(violations("id: 1\n" + right, ValidatorOptions.DEFAULT))
                .containsExactly("event 1, chunk: framing: has an id: line; streams of this API have none");
        assertThat(violations(right + "data: [DONE]\n\n", ValidatorOptions.DEFAULT))
                .containsExactly("event 5, [DONE]: framing: nothing may follow [DONE]");
        assertThat(violations(right.stripTrailing(), ValidatorOptions.DEFAULT))
                .containsExactly(
                        "end of stream after event 3: framing: the stream breaks off within an event, before its empty "
                                + "line",
                        "end of stream after event 3: framing: data: [DONE] is missing");
        assertThat(violations("data: nonsense\n\n" + right, ValidatorOptions.DEFAULT))
                .containsExactly("event 1, without JSON: framing: data: is not one JSON object, nor [DONE]");
        assertThat(violations(": keep-alive\n\n" + right, ValidatorOptions.DEFAULT))
                .isEmpty();
        assertThat(violations("", ValidatorOptions.DEFAULT))
                .containsExactly(
                        "end of stream after event 0: ending: the stream has no events",
                        "end of stream after event 0: framing: data: [DONE] is missing");
    }

    private static List<String> violations(String... chunks) {
        return violations(bytes(chunks), ValidatorOptions.DEFAULT);
    }

    private static List<String> violations(String stream, ValidatorOptions options) {
        return StreamValidator.validate(stream.getBytes(UTF_8), options).stream()
                .map(StreamViolation::toString)
                .toList();
    }

    private static String bytes(String... choices) {
        var blocks = new ArrayList<String>();
        for (var choice : choices) {
            blocks.add("data: " + body(choice));
        }
        blocks.add("data: [DONE]");
        return String.join("\n\n", blocks) + "\n\n";
    }

    private static String body(String choice) {
        var usage = choice.equals(USAGE)
                ? "{'prompt_tokens':1,'completion_tokens':1,'total_tokens':2,"
                        + "'prompt_tokens_details':{'cached_tokens':0,'cache_write_tokens':0},"
                        + "'completion_tokens_details':{'reasoning_tokens':0}}"
                : "null";
        return choice.startsWith("{'error'")
                ? json(choice).toString()
                : json("{'id':'chatcmpl-1','object':'chat.completion.chunk','created':1790000000,"
                                + "'model':'m','choices':["
                                + (choice.equals(USAGE) ? "" : choice) + "],'usage':" + usage + "}")
                        .toString();
    }

    private static String call(String call) {
        return "{'index':0,'delta':{'tool_calls':[{" + call + "}]},'finish_reason':null}";
    }
}
