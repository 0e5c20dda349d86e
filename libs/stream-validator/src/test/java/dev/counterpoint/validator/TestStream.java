package dev.counterpoint.validator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.ResponseEcho;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A stream to break: its events as JSON, which become bytes at last.
final class TestStream {
    private final List<ObjectNode> events;
    private boolean eventLines = true;
    private boolean done = true;

    TestStream(List<ObjectNode> events) {
        this.events = new ArrayList<>(events);
    }

    /// JSON with `'` for `"`.
    static ObjectNode json(String text) {
        return (ObjectNode) WireJson.parse(text.replace('\'', '"').getBytes(UTF_8));
    }

    /// A response as its lifecycle events show it.
    static ObjectNode response(String status, List<? extends JsonNode> output) {
        var request = WireJson.read("{\"input\":\"hi\"}".getBytes(UTF_8), CreateResponse.class);
        var fresh = ResponseObject.fresh(
                "resp_1", 1_790_000_000L, ResponseStatus.IN_PROGRESS, ResponseEcho.of(request, "gpt-oss-20b"));
        var response = (ObjectNode) WireJson.tree(fresh);
        var items = response.put("status", status).putArray("output");
        output.forEach(item -> items.add(item.deepCopy()));
        switch (status) {
            case "failed" -> response.set("error", json("{'code':'server_error','message':'The engine stopped.'}"));
            case "incomplete" -> response.set("incomplete_details", json("{'reason':'max_output_tokens'}"));
            case "completed" -> response.set("usage", json("""
                        {'input_tokens':9,'input_tokens_details':{'cached_tokens':0,'cache_write_tokens':0},
                         'output_tokens':7,'output_tokens_details':{'reasoning_tokens':2},'total_tokens':16}"""));
            default -> {}
        }
        return response;
    }

    static ObjectNode snapshot(String event, String status, List<? extends JsonNode> output) {
        var snapshot = json("{'type':'response." + event + "','sequence_number':0}");
        snapshot.set("response", response(status, output));
        return snapshot;
    }

    static ObjectNode item(String event, int index, ObjectNode item) {
        var node = json("{'type':'response.output_item." + event + "','sequence_number':0}");
        node.put("output_index", index).set("item", item.deepCopy());
        return node;
    }

    /// The answer that the tables of broken streams begin with: a summary of the reasoning, then a text in two pieces.
    static TestStream answer() {
        var reasoning = json("""
                {'type':'reasoning','id':'rs_1','status':'completed',
                 'summary':[{'type':'summary_text','text':'Adds two numbers.'}]}""");
        var message = json("""
                {'type':'message','id':'msg_1','status':'completed','role':'assistant',
                 'content':[{'type':'output_text','text':'It is 42.','annotations':[],'logprobs':[]}]}""");
        var events = new ArrayList<ObjectNode>();
        events.add(snapshot("created", "in_progress", List.of()));
        events.add(snapshot("in_progress", "in_progress", List.of()));
        events.add(item("added", 0, json("{'type':'reasoning','id':'rs_1','status':'in_progress','summary':[]}")));
        for (var within : List.of(
                "'reasoning_summary_part.added','part':{'type':'summary_text','text':''}",
                "'reasoning_summary_text.delta','delta':'Adds two numbers.'",
                "'reasoning_summary_text.done','text':'Adds two numbers.'",
                "'reasoning_summary_part.done','part':{'type':'summary_text','text':'Adds two numbers.'}")) {
            events.add(within("'item_id':'rs_1','output_index':0,'summary_index':0", within));
        }
        events.add(item("done", 0, reasoning));
        events.add(item("added", 1, json("""
                {'type':'message','id':'msg_1','status':'in_progress','role':'assistant','content':[]}""")));
        for (var within : List.of(
                "'content_part.added','part':{'type':'output_text','text':'','annotations':[],'logprobs':[]}",
                "'output_text.delta','delta':'It is ','logprobs':[]",
                "'output_text.delta','delta':'42.','logprobs':[]",
                "'output_text.done','text':'It is 42.','logprobs':[]",
                "'content_part.done','part':{'type':'output_text','text':'It is 42.','annotations':[],"
                        + "'logprobs':[]}")) {
            events.add(within("'item_id':'msg_1','output_index':1,'content_index':0", within));
        }
        events.add(item("done", 1, message));
        events.add(snapshot("completed", "completed", List.of(reasoning, message)));
        return new TestStream(events).renumbered();
    }

    private static ObjectNode within(String place, String event) {
        return json("{'type':" + event.replaceFirst("'", "'response.") + ",'sequence_number':0," + place + "}");
    }

    List<ObjectNode> events() {
        return events;
    }

    /// The first event of this type that comes so many times in.
    ObjectNode event(String type, int which) {
        return events.stream()
                .filter(event -> event.path("type").asText().equals("response." + type))
                .toList()
                .get(which);
    }

    TestStream change(String type, int which, Consumer<ObjectNode> change) {
        change.accept(event(type, which));
        return this;
    }

    TestStream changeAll(Consumer<ObjectNode> change) {
        events.forEach(change);
        return this;
    }

    /// Without the event, and numbered as if it had never been.
    TestStream without(String type, int which) {
        var gone = event(type, which);
        events.removeIf(event -> event == gone);
        return renumbered();
    }

    TestStream withoutEventLines() {
        eventLines = false;
        return this;
    }

    TestStream withoutDone() {
        done = false;
        return this;
    }

    TestStream renumbered() {
        IntStream.range(0, events.size()).forEach(i -> events.get(i).put("sequence_number", i));
        return this;
    }

    byte[] bytes() {
        var text = new StringBuilder();
        for (var event : events) {
            if (eventLines) {
                text.append("event: ").append(event.path("type").asText()).append('\n');
            }
            text.append("data: ").append(WireJson.write(event)).append("\n\n");
        }
        return text.append(done ? "data: [DONE]\n\n" : "").toString().getBytes(UTF_8);
    }

    List<String> violations() {
        return violations(ValidatorOptions.DEFAULT);
    }

    List<String> violations(ValidatorOptions options) {
        return StreamValidator.validate(bytes(), options).stream()
                .map(StreamViolation::toString)
                .toList();
    }
}
