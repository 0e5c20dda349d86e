package dev.counterpoint.validator;

import static dev.counterpoint.validator.TestStream.answer;
import static dev.counterpoint.validator.TestStream.json;
import static dev.counterpoint.validator.TestStream.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Thirteen ways to break a stream, of which six were noticed by no client that we tried and eleven by no conformance
/// suite: each with all that the validator says of it.
class BrokenStreamsTest {
    record Case(String name, TestStream stream, List<String> violations) {
        @Override
        public String toString() {
            return name;
        }
    }

    @Test
    void theStreamIsRightBeforeItIsBroken() {
        assertThat(answer().violations()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("openings")
    void saysWhatIsNotOpened(Case broken) {
        assertThat(broken.stream.violations()).isEqualTo(broken.violations);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wholes")
    void saysWhatDoesNotAddUp(Case broken) {
        assertThat(broken.stream.violations()).isEqualTo(broken.violations);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("numbers")
    void saysWhatIsMissingFromEveryEvent(Case broken) {
        assertThat(broken.stream.violations()).startsWith(broken.violations.toArray(String[]::new));
    }

    static Stream<Case> openings() {
        return Stream.of(
                new Case(
                        "a message's output_item.added is missing",
                        answer().without("output_item.added", 1),
                        List.of("event 9, response.content_part.added, number 8: order: item 1 was never opened: its "
                                + "response.output_item.added is missing")),
                new Case(
                        "content_part.added is missing",
                        answer().without("content_part.added", 0),
                        List.of("event 10, response.output_text.delta, number 9: order: content part 0 of item 1 "
                                + "(message) was never opened: its added event is missing")),
                new Case(
                        "reasoning_summary_part.added is missing",
                        answer().without("reasoning_summary_part.added", 0),
                        List.of("event 4, response.reasoning_summary_text.delta, number 3: order: summary part 0 of "
                                + "item 0 (reasoning) was never opened: its added event is missing")),
                new Case(
                        "response.created is missing",
                        answer().without("created", 0),
                        List.of("event 1, response.in_progress, number 0: order: is the first event; a stream begins "
                                + "with response.created")),
                new Case(
                        "output_item.done is missing",
                        answer().without("output_item.done", 1),
                        List.of("event 15, response.completed, number 14: order: item 1 (message) is still open: its "
                                + "response.output_item.done is missing")),
                new Case(
                        "there is no terminal event",
                        answer().without("completed", 0),
                        List.of("event 16, [DONE]: ending: the response has no end: response.completed, "
                                + "response.incomplete or response.failed is missing")));
    }

    static Stream<Case> wholes() {
        return Stream.of(
                new Case(
                        "the response's id changes in mid-stream",
                        answer().change(
                                        "in_progress",
                                        0,
                                        event -> response(event).put("id", "resp_2")),
                        List.of("event 2, response.in_progress, number 1: identity: response.id is not the one of the "
                                + "first event")),
                new Case(
                        "item ids differ in completed",
                        answer().change("completed", 0, event -> item(event, 1).put("id", "msg_2")),
                        List.of("event 16, response.completed, number 15: identity: response.output[1] is not the item "
                                + "that was closed: differs in id")),
                new Case(
                        "completed has no output",
                        answer().change("completed", 0, event -> response(event).putArray("output")),
                        List.of("event 16, response.completed, number 15: whole: response.output holds 0 items, and 2 "
                                + "came")),
                new Case(
                        "the text of done is not the sum of the deltas",
                        answer().change("output_text.done", 0, event -> event.put("text", "It is not 42.")),
                        List.of(
                                "event 13, response.output_text.done, number 12: whole: the text of content part 0 of "
                                        + "item 1 (message) is not the sum of its deltas: differs from character 6 on "
                                        + "(13 against 9 characters)",
                                "event 14, response.content_part.done, number 13: whole: content part 0 of item 1 "
                                        + "(message) does not hold the text of its done event: differs from character "
                                        + "6 on (9 against 13 characters)")));
    }

    static Stream<Case> numbers() {
        return Stream.of(
                new Case(
                        "sequence_number is 0 in all",
                        answer().changeAll(event -> event.put("sequence_number", 0)),
                        List.of(
                                "event 2, response.in_progress, number 0: sequence: sequence_number is 0, and the next "
                                        + "is 1",
                                "event 3, response.output_item.added, number 0: sequence: sequence_number is 0, and "
                                        + "the next is 1")),
                new Case(
                        "sequence_number is missing",
                        answer().changeAll(event -> event.remove("sequence_number")),
                        List.of(
                                "event 1, response.created: schema: the member sequence_number is missing",
                                "event 2, response.in_progress: schema: the member sequence_number is missing")),
                new Case(
                        "the event: line is missing",
                        answer().withoutEventLines(),
                        List.of(
                                "event 1, response.created, number 0: framing: the event: line is missing; it repeats "
                                        + "the type",
                                "event 2, response.in_progress, number 1: framing: the event: line is missing; it "
                                        + "repeats the type")));
    }

    @Test
    void aFailureAfterTheBeginningIsToldByResponseFailedAlone() {
        var error = json("""
                {'type':'error','sequence_number':0,'code':'server_error','message':'It stopped.','param':null,
                 'error':{'message':'It stopped.','type':'server_error','param':null,'code':'server_error'}}""");
        var failed = snapshot("failed", "failed", List.of());
        var created = snapshot("created", "in_progress", List.of());

        assertThat(new TestStream(List.of(created, failed)).renumbered().violations())
                .isEmpty();
        assertThat(new TestStream(List.of(error)).violations()).isEmpty();
        assertThat(new TestStream(List.of(created, error.deepCopy(), failed))
                        .renumbered()
                        .violations())
                .containsExactly(
                        "event 2, error, number 1: ending: a failure after response.created is told by response.failed "
                                + "alone",
                        "event 3, response.failed, number 2: ending: comes after the end of the response; only [DONE] "
                                + "may");
    }

    @Test
    void onlyTheLastItemOfACutOffResponseMayBeIncomplete() {
        assertThat(cutOff("incomplete").violations()).isEmpty();
        assertThat(cutOff("completed").violations())
                .containsExactly("event 16, response.completed, number 15: ending: response.output[1] is incomplete; "
                        + "only the last item of a response that was cut off may be incomplete, and none in progress");
    }

    private static TestStream cutOff(String ending) {
        var stream = answer().change(
                        "output_item.done", 1, event -> ((ObjectNode) event.path("item")).put("status", "incomplete"));
        var items = List.of(
                stream.event("output_item.done", 0).path("item"),
                stream.event("output_item.done", 1).path("item"));
        stream.events().removeLast();
        stream.events().add(snapshot(ending, ending, items));
        return stream.renumbered();
    }

    private static ObjectNode response(ObjectNode event) {
        return (ObjectNode) event.path("response");
    }

    private static ObjectNode item(ObjectNode event, int index) {
        return (ObjectNode) response(event).path("output").path(index);
    }
}
