package dev.counterpoint.validator;

import static dev.counterpoint.validator.TestStream.answer;
import static dev.counterpoint.validator.TestStream.item;
import static dev.counterpoint.validator.TestStream.json;
import static dev.counterpoint.validator.TestStream.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Streams as servers of gpt-oss models have sent them, by their source or their issues.
class PeersTest {
    private static final String THOUGHT = "The user wants a sum.";

    /// vLLM #24938, #35184.
    @Test
    void vllmInventsAnEventThatOpensReasoning() {
        assertThat(reasoning(THOUGHT)
                        .change("content_part.added", 0, event -> event.put("type", "response.reasoning_part.added"))
                        .violations())
                .contains(
                        "event 3, response.reasoning_part.added, number 2: schema: the contract has no event of this "
                                + "type",
                        "event 4, response.reasoning_text.delta, number 3: order: content part 0 of item 0 (reasoning) "
                                + "was never opened: its added event is missing");
    }

    /// vLLM #24788.
    @Test
    void vllmSendsTextWithoutTheItemAndThePartAroundIt() {
        assertThat(answer().without("content_part.added", 0)
                        .without("output_item.added", 1)
                        .violations())
                .containsExactly("event 9, response.output_text.delta, number 8: order: item 1 was never opened: its "
                        + "response.output_item.added is missing");
    }

    /// vLLM #38190, Ollama #17118 and #14600.
    @Test
    void vllmAndOllamaBreakOffWithoutATerminalEvent() {
        assertThat(answer().without("completed", 0).withoutDone().violations())
                .containsExactly(
                        "end of stream after event 15: ending: the response has no end: response.completed, "
                                + "response.incomplete or response.failed is missing",
                        "end of stream after event 15: framing: data: [DONE] is missing");
    }

    /// vLLM #24076 and #24509, SGLang #12653, #10738 and #34214.
    @Test
    void vllmAndSglangForgetToStreamFunctionCalls() {
        var call = json("""
                {'type':'function_call','id':'fc_1','call_id':'call_1','name':'add','arguments':'{}',
                 'status':'completed'}""");

        assertThat(answer().change(
                                "completed",
                                0,
                                event -> event.withArray("/response/output").add(call))
                        .violations())
                .containsExactly("event 16, response.completed, number 15: whole: response.output holds 3 items, and 2 "
                        + "came");
        assertThat(new TestStream(List.of(
                                snapshot("created", "in_progress", List.of()),
                                item(
                                        "added",
                                        0,
                                        call.deepCopy().put("arguments", "").put("status", "in_progress")),
                                item("done", 0, call),
                                snapshot("completed", "completed", List.of(call))))
                        .renumbered()
                        .violations())
                .containsExactly(
                        "event 3, response.output_item.done, number 2: order: item 0 (function_call) is closed "
                                + "before its arguments are: their done event is missing");
    }

    /// SGLang's serving_responses.py.
    @Test
    void sglangCountsTheItemsBeforeItClosesTheOldOne() {
        assertThat(answer().change("output_item.done", 0, event -> event.put("output_index", 1))
                        .violations())
                .contains(
                        "event 8, response.output_item.done, number 7: order: item 1 was never opened: its "
                                + "response.output_item.added is missing",
                        "event 9, response.output_item.added, number 8: identity: output_index 1 is taken already");
    }

    /// SGLang's serving_responses.py.
    @Test
    void sglangClosesReasoningUnderANewId() {
        assertThat(answer().change("output_item.done", 0, event -> ((ObjectNode) event.path("item")).put("id", "rs_9"))
                        .violations())
                .first()
                .isEqualTo("event 8, response.output_item.done, number 7: identity: id is not the one that item 0 "
                        + "(reasoning) was opened with");
    }

    /// SGLang's serving_responses.py.
    @Test
    void sglangTypesReasoningAsOutputText() {
        var asText = json("{'type':'output_text','text':'','annotations':[],'logprobs':[]}");

        assertThat(reasoning(THOUGHT)
                        .change("content_part.added", 0, event -> event.set("part", asText))
                        .violations())
                .contains(
                        "event 3, response.content_part.added, number 2: kind: item 0 (reasoning) opens a part of type "
                                + "output_text",
                        "event 4, response.reasoning_text.delta, number 3: kind: content part 0 of item 0 (reasoning) "
                                + "is of type output_text, which has no such event");
    }

    /// Ollama's openai/responses.go.
    @Test
    void ollamaTellsThoughtsAsASummaryThatNothingOpens() {
        assertThat(answer().without("reasoning_summary_part.added", 0).violations())
                .containsExactly(
                        "event 4, response.reasoning_summary_text.delta, number 3: order: summary part 0 of item "
                                + "0 (reasoning) was never opened: its added event is missing");
    }

    /// Ollama's openai/responses.go: "Plain text for now".
    @Test
    void ollamaCallsClearTextEncrypted() {
        for (var blob : List.of("Adds two numbers.", "QWRkcyB0d28gbnVtYmVycy4=")) {
            var stream = answer();
            stream.change(
                    "output_item.done", 0, event -> ((ObjectNode) event.path("item")).put("encrypted_content", blob));
            stream.change(
                    "completed",
                    0,
                    event -> ((ObjectNode) event.at("/response/output/0")).put("encrypted_content", blob));

            assertThat(stream.violations())
                    .containsExactly(
                            "event 8, response.output_item.done, number 7: sealed: encrypted_content of item 0 "
                                    + "(reasoning) holds the streamed reasoning in clear");
        }
    }

    @Test
    void rawReasoningUnderItsOwnEventsIsRight() {
        assertThat(reasoning(THOUGHT).violations()).isEmpty();
    }

    private static TestStream reasoning(String thought) {
        var done = json("{'type':'reasoning','id':'rs_1','status':'completed','summary':[]}");
        var part = json("{'type':'reasoning_text'}").put("text", thought);
        done.putArray("content").add(part);
        var events = new ArrayList<ObjectNode>();
        events.add(snapshot("created", "in_progress", List.of()));
        events.add(item("added", 0, json("{'type':'reasoning','id':'rs_1','status':'in_progress','summary':[]}")));
        events.add(within("content_part.added"));
        events.getLast().set("part", json("{'type':'reasoning_text','text':''}"));
        events.add(within("reasoning_text.delta").put("delta", thought));
        events.add(within("reasoning_text.done").put("text", thought));
        events.add(within("content_part.done"));
        events.getLast().set("part", part.deepCopy());
        events.add(item("done", 0, done));
        events.add(snapshot("completed", "completed", List.of(done)));
        return new TestStream(events).renumbered();
    }

    private static ObjectNode within(String type) {
        return json("{'type':'response." + type + "','sequence_number':0,'item_id':'rs_1','output_index':0,"
                + "'content_index':0}");
    }
}
