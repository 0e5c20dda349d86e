package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.local.faults.AskedQuestion.Api;
import dev.counterpoint.local.faults.AskedQuestion.Conduct;
import dev.counterpoint.local.faults.AskedQuestion.Manner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A response as it should be, for tests that spoil one thing of it.
final class MadeUp {
    static final ResponseId ID = new ResponseId(1, 2, 3, 4);
    static final String TEXT = "The answer is 42.";
    /// Places in [#events].
    static final int FIRST_DELTA = 3;

    static final int LAST_DELTA = 4;
    static final int ENDING = 8;
    private static final byte[] NOTHING = new byte[0];

    private MadeUp() {}

    static AskedQuestion ask(Api api, Manner manner, Question question) {
        return new AskedQuestion(1, api, manner, Conduct.STAY, question, false, false, true, true);
    }

    static Accepted accepted(boolean audited) {
        return new Accepted(
                "tenant",
                "key",
                "model",
                1,
                2,
                audited ? Set.of(ServiceRole.AUDIT) : Set.of(),
                false,
                true,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(NOTHING, NOTHING, NOTHING, NOTHING),
                "",
                1);
    }

    static int[] tokens(String text) {
        return HarmonyTokenizer.shared().encode(text);
    }

    /// A short answer of one attempt.
    static Told told() {
        return told(List.of(new Told.Segment(1, 7, answer(tokens(TEXT)))), TEXT);
    }

    static Told told(List<Told.Segment> segments, String text) {
        int count =
                segments.stream().mapToInt(segment -> segment.tokens().length).sum();
        return new Told(
                ID,
                accepted(true),
                1,
                segments,
                List.of(new Told.Message(false, null, text, count)),
                List.of(),
                Told.Status.COMPLETED,
                new End(End.Finish.STOP, 1, 0, count, 0, 1));
    }

    /// As an answer of the model: its header, the tokens, its end.
    static int[] answer(int[] text) {
        var header = IntStream.concat(
                IntStream.concat(IntStream.of(SpecialTokens.CHANNEL), IntStream.of(tokens("final"))),
                IntStream.of(SpecialTokens.MESSAGE));
        var body = IntStream.concat(IntStream.of(text), IntStream.of(SpecialTokens.RETURN));
        return IntStream.concat(header, body).toArray();
    }

    static Told withStatus(Told told, Told.@Nullable Status status) {
        return new Told(
                told.id(),
                told.accepted(),
                told.request(),
                told.segments(),
                told.messages(),
                told.sentences(),
                status,
                status == Told.Status.COMPLETED ? told.end() : null);
    }

    /// The stream that tells [#told].
    static List<String> events() {
        var item = "\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"%s\",\"content\":[%s]";
        var part = "{\"type\":\"output_text\",\"text\":\"%s\",\"annotations\":[],\"logprobs\":[]}";
        var whole = "{" + item.formatted("completed", part.formatted(TEXT)) + "}";
        var events = new ArrayList<String>();
        events.add(event(0, "response.created", response("in_progress", "")));
        events.add(
                event(1, "response.output_item.added", atItem("item", "{" + item.formatted("in_progress", "") + "}")));
        events.add(event(2, "response.content_part.added", atPart("part", part.formatted(""))));
        events.add(delta(FIRST_DELTA, "The answer "));
        events.add(delta(LAST_DELTA, "is 42."));
        events.add(event(5, "response.output_text.done", atPart("logprobs", "[],\"text\":\"" + TEXT + "\"")));
        events.add(event(6, "response.content_part.done", atPart("part", part.formatted(TEXT))));
        events.add(event(7, "response.output_item.done", atItem("item", whole)));
        events.add(event(ENDING, "response.completed", response("completed", whole)));
        events.add(HeardAnswer.DONE);
        return events;
    }

    static String delta(int number, String text) {
        return event(number, "response.output_text.delta", atPart("logprobs", "[],\"delta\":\"" + text + "\""));
    }

    static String response(String status, String output) {
        return """
                ,"response":{"id":"resp_%s","object":"response","created_at":1,"completed_at":null,"status":"%s",
                "access_programs":null,"error":null,"incomplete_details":null,"instructions":null,"metadata":{},
                "model":"m","output":[%s],
                "parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"usage":null}""".formatted(ID, status, output);
    }

    private static String atItem(String member, String value) {
        return ",\"output_index\":0,\"%s\":%s".formatted(member, value);
    }

    private static String atPart(String member, String value) {
        return ",\"item_id\":\"msg_1\",\"content_index\":0" + atItem(member, value);
    }

    static String event(int number, String type, String more) {
        return "{\"type\":\"%s\",\"sequence_number\":%d%s}".formatted(type, number, more);
    }

    static HeardAnswer heard(List<String> events) {
        return new HeardAnswer(
                ask(Api.RESPONSES, Manner.STREAM, Question.SUM), HeardAnswer.Outcome.WHOLE, 200, events, "");
    }
}
