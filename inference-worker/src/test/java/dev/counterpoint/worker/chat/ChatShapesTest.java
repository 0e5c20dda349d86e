package dev.counterpoint.worker.chat;

import static dev.counterpoint.worker.chat.FakeChatServer.content;
import static dev.counterpoint.worker.chat.FakeChatServer.delta;
import static dev.counterpoint.worker.chat.FakeChatServer.finish;
import static dev.counterpoint.worker.chat.FakeChatServer.node;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.chat.ReasoningStrategy;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What real servers send, which differs in almost everything: content, calls, endings, refusals.
@Timeout(60)
class ChatShapesTest extends WithChatServer {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @DisplayName("F10 no shape of content is lost")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{'delta':{'content':[{'type':'text','text':'A'}]}} | V final: A",
                "{'delta':{'content':[{'type':'thinking','thinking':[{'type':'text','text':'R'}]},"
                        + "{'type':'text','text':'A'}]}}"
                        + " | R analysis: R + V final: A",
                "{'delta':{'refusal':'No.'}} | V final: No.",
                "{'message':{'role':'assistant','content':'A'}} | V final: A",
                "{'text':'A'} | V final: A",
                "{'delta':{'reasoning':'R'}} | R analysis: R",
                "{'delta':{'reasoning_content':'R','reasoning':'R','content':'A'}} | R analysis: R + V final: A",
                "{'delta':{'thinking':'R','content':'A'}} | R analysis: R + V final: A",
                "{'delta':{'reasoning_details':[{'type':'reasoning.text','text':'R'},{'type':'reasoning.encrypted',"
                        + "'data':'x'}],'content':'A'}} | R analysis: R + V final: A",
            })
    void everyShapeOfContentIsRead(String choice, String expected) throws Exception {
        server.says(chunk(choice), finish("stop"));

        assertThat(say(NONE, job(List.of(user()))).told().replace(" | ", " + ").strip())
                .isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @DisplayName("F11 no shape of a call is lost")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                // arguments as an object
                "[{'index':0,'id':'1','function':{'name':'f','arguments':{'a':1}}}] | f:{'a':1}",
                // the name in each delta
                "[{'index':0,'id':'1','function':{'name':'f','arguments':'{'}}];"
                        + "[{'index':0,'id':'1','function':{'name':'f','arguments':'}'}}] | f:{}",
                // the name in pieces
                "[{'index':0,'id':'1','function':{'name':'g'}}];[{'index':0,'function':{'name':'h'}}];"
                        + "[{'index':0,'function':{'arguments':'{}'}}] | gh:{}",
                // a new id in each delta
                "[{'index':0,'id':'1','function':{'name':'f','arguments':''}}];"
                        + "[{'index':0,'id':'2','function':{'arguments':'{`a`:'}}];"
                        + "[{'index':0,'id':'3','function':{'arguments':'1}'}}] | f:{`a`:1}",
                // no ids, one index
                "[{'index':0,'function':{'name':'f','arguments':'{`a`:1}'}}];"
                        + "[{'index':0,'function':{'name':'f','arguments':'{`a`:2}'}}] | f:{`a`:1} f:{`a`:2}",
                // no index
                "[{'id':'1','function':{'name':'f',"
                        + "'arguments':'{`a`:'}}];[{'function':{'arguments':'1}'}}] | f:{`a`:1}",
                "[{'id':'1','function':{'name':'f','arguments':'{}'}},{'id':'2','function':{'name':'g',"
                        + "'arguments':'{}'}}]"
                        + " | f:{} g:{}",
                // several at once, mixed
                "[{'index':0,'id':'1','function':{'name':'f'}},{'index':1,'id':'2','function':{'name':'g'}}];"
                        + "[{'index':1,'function':{'arguments':'{`b`:'}}];[{'index':0,"
                        + "'function':{'arguments':'{`a`:1}'}}];"
                        + "[{'index':1,'function':{'arguments':'2}'}}] | f:{`a`:1} g:{`b`:2}",
                // without arguments, two of them
                "[{'index':0,'id':'1','function':{'name':'f','arguments':''}}];"
                        + "[{'index':1,'id':'2','function':{'name':'g','arguments':null}}] | f:{} g:{}",
                // said twice
                "[{'index':0,'id':'1','function':{'name':'f','arguments':'{`a`:1}'}}];"
                        + "[{'index':0,'id':'1','function':{'arguments':'{`a`:1}'}}] | f:{`a`:1}",
                // a text that holds the object
                "[{'index':0,'id':'1','function':{'name':'f','arguments':'`{}`'}}] | f:{}",
                // beside the id
                "[{'id':'1','name':'f','arguments':{'a':1}}] | f:{'a':1}",
            })
    void everyShapeOfACallIsRead(String deltas, String expected) throws Exception {
        var chunks = List.of(deltas.split(";")).stream()
                .map(calls -> chunk("{'delta':{'tool_calls':" + calls + "}}"))
                .toList();
        server.says(
                Stream.concat(chunks.stream(), Stream.of(finish("tool_calls"))).toArray(ObjectNode[]::new));

        var said = say(NONE, functions());

        var told = said.told().replace("V functions.", "").replace(": ", ":").replace(" | ", " ");
        assertThat(told).isEqualTo(expected.replace('\'', '"').replace('`', '"'));
        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    @DisplayName("F11 a call from before there were tools")
    void aCallFromBeforeToolsIsRead() throws Exception {
        server.says(
                chunk("{'delta':{'function_call':{'name':'f','arguments':''}}}"),
                chunk("{'delta':{'function_call':{'arguments':'{}'}}}"),
                finish("function_call"));

        assertThat(say(NONE, functions()).told()).isEqualTo("V functions.f: {}");
    }

    @ParameterizedTest
    @DisplayName("F13 a request that is refused is sent once, and told by its kind")
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | {\"error\":{\"code\":\"context_length_exceeded\"}} | PROMPT_TOO_LONG",
                "400 | {\"error\":{\"message\":\"The maximum context length is 4096 tokens\"}} | PROMPT_TOO_LONG",
                "400 | {\"error\":{\"type\":\"exceed_context_size_error\"}} | PROMPT_TOO_LONG",
                "400 | {\"error\":{\"message\":\"secret\"}} | REFUSED",
                "401 | {} | MISCONFIGURED",
                "403 | {} | MISCONFIGURED",
                "404 | {} | MISCONFIGURED",
                "413 | {} | REFUSED",
                "422 | not JSON | REFUSED",
            })
    void aRefusalIsNotTriedAgain(int status, String body, StopReason expected) throws Exception {
        server.answers(exchange -> exchange.answer(status, body));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.reason()).isEqualTo(expected);
        assertThat(said.detail()).contains("HTTP " + status).doesNotContain("secret", "context");
        assertThat(said.detail().contains("worker.remote.api-key")).isEqualTo(expected == StopReason.MISCONFIGURED);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    @DisplayName("F13 a busy server is asked again when it says so")
    void aBusyServerIsWaitedFor() throws Exception {
        server.answers(exchange -> busy(exchange, 429, "1")).types("A");
        long begun = System.nanoTime();

        var said = say(NONE, job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: A");
        assertThat(server.requests()).hasSize(2);
        assertThat(System.nanoTime() - begun).isGreaterThan(900_000_000L);
    }

    @Test
    @DisplayName("F13 a server that wants more time than there is is told as busy at once")
    void aServerThatIsBusyForLongIsNotWaitedFor() throws Exception {
        server.answers(exchange -> busy(exchange, 503, "3600"));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.reason()).isEqualTo(StopReason.BUSY);
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("F14 every known reason to finish ends an answer, any other breaks it off")
    @CsvSource({
        "end_turn, STOP_TOKEN",
        "eos, STOP_TOKEN",
        "STOP, STOP_TOKEN",
        "abort, FAILED",
        "insufficient_system_resource, FAILED",
        "error, FAILED",
        "model_length, LENGTH",
        "max_tokens, LENGTH",
        "content_filter, WITHHELD",
    })
    void onlyAKnownReasonIsAnEnding(String reason, StopReason expected) throws Exception {
        server.says(content("A"), finish(reason));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: A");
        assertThat(said.reason()).isEqualTo(expected);
    }

    @Test
    @DisplayName("F6 a reason that is the word null is none, and F7 another choice is not ours")
    void theWordNullIsNoReasonAndAnotherChoiceIsNotOurs() throws Exception {
        server.says(
                chunk("{'index':0,'delta':{'content':'Par'},'finish_reason':'null'}"),
                chunk("{'index':1,'delta':{'content':'OTHER'},'finish_reason':'stop'}"),
                chunk("{'index':0,'delta':{'content':'is'},'finish_reason':'stop'}"));

        assertThat(say(NONE, job(List.of(user()))).told()).isEqualTo("V final: Paris");
    }

    @Test
    @DisplayName("D8 a last chunk with the whole message repeats it")
    void aWholeMessageBehindDeltasSaysNothingNew() throws Exception {
        server.says(
                chunk("{'index':0,'delta':{'content':'Hel'}}"),
                chunk("{'index':0,'delta':{'content':'lo'}}"),
                chunk("{'index':0,'message':{'role':'assistant','content':'Hello'},'finish_reason':'stop'}"));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: Hello");
        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    @DisplayName("D9 text after a call is an answer of its own, with what it shows of reasoning")
    void textAfterACallIsShown() throws Exception {
        server.says(
                content("Let me see."),
                FakeChatServer.call(0, "c1", "f", "{\"a\""),
                content("<think>r</think>"),
                content("Done."),
                FakeChatServer.call(0, "", "", ":1}"),
                finish("tool_calls"));

        assertThat(say(NONE, functions()).told())
                .isEqualTo("V final: Let me see. | V functions.f: {\"a\":1} | R analysis: r | V final: Done.");
    }

    @Test
    @DisplayName("D9 text after an envelope and a call is not")
    void textAfterAnEnvelopeAndACallIsWithheld() throws Exception {
        server.says(
                content("{\"reasoning\":\"r\",\"answer\":\"a\"}"),
                FakeChatServer.call(0, "c1", "f", "{}"),
                content("CANARY"),
                finish("tool_calls"));

        assertThat(say(NONE, functions()).told())
                .isEqualTo("R analysis: r | V final: a | V functions.f: {} | R analysis untold: CANARY");
    }

    @ParameterizedTest
    @DisplayName("F14 odd streams that end in order are answers")
    @ValueSource(
            strings = {
                "data: {CHUNK}\n\ndata: [DONE]\n\n",
                "data: {CHUNK}\n\n",
                "data: {CHUNK}",
                "data: {CHUNK}\r\rdata: [DONE]\r\r",
                "data: {\"type\":\"ping\"}\n\ndata:\n\ndata: {CHUNK}\n\ndata: [DONE]\n\n",
                ": hello\n\nevent: x\ndata: {CHUNK}\n\ndata: {\"choices\":[]}\n\ndata: [DONE]\n\n",
                "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"A\"},\"finish_reason\":\"stop\"}]}",
            })
    void oddStreamsAreRead(String body) throws Exception {
        var chunk = content("A").toString();
        server.answers(exchange -> exchange.answer(200, body.replace("{CHUNK}", chunk)));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: A");
        assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    @DisplayName("F15 a server that sends comments is alive, one that sends nothing is not")
    void commentsKeepAnAnswerAlive() throws Exception {
        server.answers(exchange -> {
                    exchange.beginEvents();
                    exchange.data(content("A"));
                    for (int i = 0; i < 8; i++) {
                        Thread.sleep(250);
                        exchange.send(": still here\n\n");
                    }
                    exchange.data(finish("stop"));
                })
                .answers(exchange -> {
                    exchange.beginEvents();
                    exchange.data(content("A"));
                    exchange.awaitGone();
                });
        var engine = engine(NONE, Duration.ofSeconds(1));

        assertThat(say(engine, request(job(List.of(user())), new int[0], 100)).reason())
                .isEqualTo(StopReason.STOP_TOKEN);
        assertThat(say(engine, request(job(List.of(user())), new int[0], 100)).reason())
                .isEqualTo(StopReason.FAILED);
    }

    @Test
    @DisplayName("F16 a server that refuses the forced call is asked without it")
    void aRefusedReportIsDoneWithout() throws Exception {
        server.answers(exchange -> exchange.answer(400, "{}")).types("A");

        var said = say(List.of(ReasoningStrategy.REPORT_REASONING, ReasoningStrategy.NONE), job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: A");
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    @DisplayName("F9, F12 what interrupts an answer stands behind it, and the answer stays one")
    void anInterruptedAnswerStaysOne() throws Exception {
        server.says(content("Franc"), reasoning("late"), content("e is"), finish("stop"));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: France is | R analysis late: late");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.LATE);
    }

    @Test
    @DisplayName("F9 reasoning between two parts of an answer is not late where the server told some before")
    void reasoningThatGoesOnIsNotLate() throws Exception {
        server.says(reasoning("r"), content("Franc"), reasoning("s"), content("e"), finish("stop"));

        var said = say(NONE, job(List.of(user())));

        assertThat(said.told()).isEqualTo("R analysis: r | V final: France | R analysis: s");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.TOLD);
    }

    @Test
    @DisplayName("F9 nothing was shown too early where it was held until the server told the reasoning")
    void whatWasHeldIsNotLate() throws Exception {
        server.says(content("Par"), reasoning("r"), content("is"), finish("stop"));

        var said = say(List.of(ReasoningStrategy.THINK), job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: Paris | R analysis: r");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.TOLD);
    }

    @ParameterizedTest
    @DisplayName("F7 a server whose reasoning nobody else can read tells it apart, so content is the answer")
    @ValueSource(
            strings = {
                "{'delta':{'reasoning_details':[{'type':'reasoning.encrypted','data':'x','index':0}],'content':'A'}}",
                "{'delta':{'content':[{'type':'redacted_thinking','data':'x'},{'type':'text','text':'A'}]}}",
            })
    void reasoningThatIsEncryptedMakesTheRestTheAnswer(String choice) throws Exception {
        server.says(chunk(choice), content(" use <think>."), finish("stop"));

        var said = say(List.of(ReasoningStrategy.THINK), job(List.of(user())));

        assertThat(said.told()).isEqualTo("V final: A use <think>.");
        assertThat(said.reasoning()).isEqualTo(End.Reasoning.MISSING);
    }

    @Test
    @DisplayName("what the upstream gets is what the caller said")
    void nothingIsSaidThatTheCallerDidNotSay() throws Exception {
        server.types("A");

        say(NONE, offering(ToolChoice.AUTO));

        assertThat(server.request().properties().stream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("model", "stream", "messages", "tools", "tool_choice");
    }

    private static ObjectNode reasoning(String text) {
        return delta(node().put("reasoning_content", text));
    }

    private static GenerationJob functions() {
        return tools(
                List.of(
                        new FunctionTool("f", "", null, false),
                        new FunctionTool("g", "", null, false),
                        new FunctionTool("gh", "", null, false)),
                ToolChoice.AUTO);
    }

    private static void busy(Exchange exchange, int status, String seconds) throws IOException {
        exchange.answer(status, "{}", "Retry-After: " + seconds + "\r\n");
    }

    private static ObjectNode chunk(String choice) {
        try {
            var chunk = node();
            var text = choice.replace('\'', '"').replace("`", "\\\"");
            chunk.putArray("choices").add(JSON.readTree(text));
            return chunk;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(choice, e);
        }
    }
}
