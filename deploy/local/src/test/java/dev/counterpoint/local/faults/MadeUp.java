package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import dev.counterpoint.local.faults.Ask.Api;
import dev.counterpoint.local.faults.Ask.Conduct;
import dev.counterpoint.local.faults.Ask.Manner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A response as it should be, for tests that spoil one thing of it.
final class MadeUp {
    static final ResponseId ID = new ResponseId(1, 2, 3, 4);
    static final String TEXT = "The answer is 42.";
    private static final byte[] NOTHING = new byte[0];

    private MadeUp() {}

    static Ask ask(Api api, Manner manner, Question question) {
        return new Ask(1, api, manner, Conduct.STAY, question, false, false, true, true);
    }

    static Accepted accepted(boolean audited) {
        return new Accepted(
                "tenant",
                "key",
                "model",
                1,
                2,
                audited ? Set.of(Role.AUDIT) : Set.of(),
                false,
                true,
                Topic.Band.NORMAL,
                NOTHING,
                NOTHING,
                NOTHING,
                NOTHING,
                "");
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
        var events = new ArrayList<String>();
        events.add(event(0, "response.created", ",\"response\":{\"id\":\"resp_%s\"}".formatted(ID)));
        events.add(event(1, "response.output_text.delta", ",\"delta\":\"The answer \""));
        events.add(event(2, "response.output_text.delta", ",\"delta\":\"is 42.\""));
        events.add(event(3, "response.completed", ",\"response\":{\"status\":\"completed\"}"));
        events.add(Heard.DONE);
        return events;
    }

    static String event(int number, String type, String more) {
        return "{\"type\":\"%s\",\"sequence_number\":%d%s}".formatted(type, number, more);
    }

    static Heard heard(List<String> events) {
        return new Heard(ask(Api.RESPONSES, Manner.STREAM, Question.SUM), Heard.Outcome.WHOLE, 200, events, "");
    }
}
