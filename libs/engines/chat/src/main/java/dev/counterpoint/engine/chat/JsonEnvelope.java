package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.split.ReasoningSplitter;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A whole envelope, `{"reasoning": …, "answer": …}`. Numbers and truth values beside its answer are shown with it
/// ([Kind#MORE]); any other member may be reasoning under another name.
///
/// Where the answer has a form and no envelope was asked for, the object without its reasoning is the answer.
record JsonEnvelope(ObjectNode envelope, EnvelopeTerms terms) {
    /// An answer in an envelope is the answer, but for marked reasoning in it.
    private static final TextRule PLAIN = new TextRule(
            TextRule.Unmarked.ANSWER, FamilyTable.shared().everyMarks(), List.of(), false, "in an envelope");
    /// `\f` and `\b` in JSON are a form feed and a backspace; a model that writes them meant `\frac` and `\begin`.
    private static final String UNMEANT = "\f\b";

    /// Gives its parts out.
    void open(Consumer<TextPiece> out) {
        if (terms.formed() && !terms.asked()) {
            withoutReasoning(out);
            return;
        }
        var shown = JsonNodeFactory.instance.objectNode();
        var other = JsonNodeFactory.instance.objectNode();
        JsonNode answer = null;
        boolean reasoned = false;
        for (var member : envelope.properties()) {
            var value = member.getValue();
            if (member.getKey().equalsIgnoreCase(EnvelopeStage.REASONING)) {
                reasoned = true;
                say(Kind.REASONING, text(value), out);
            } else if (answer == null && member.getKey().equalsIgnoreCase(EnvelopeStage.ANSWER)) {
                answer = value;
            } else {
                (value.isNumber() || value.isBoolean() ? shown : other).set(member.getKey(), value);
            }
        }
        boolean answered = answer(answer, out);
        if (!other.isEmpty()) {
            say(reasoned && answered ? Kind.REASONING : Kind.UNTOLD, other.toString(), out);
        }
        if (!shown.isEmpty()) {
            say(answered && !terms.formed() ? Kind.MORE : Kind.REASONING, shown.toString(), out);
        }
    }

    private boolean answer(@Nullable JsonNode answer, Consumer<TextPiece> out) {
        if (answer == null || answer.isNull()) {
            return false;
        }
        var text = text(answer);
        if (UNMEANT.chars().anyMatch(c -> text.indexOf(c) >= 0)) {
            say(Kind.UNTOLD, text, out);
            return true;
        }
        var within = new EnvelopeStage(terms.within(), false, Stage.answer());
        var stage = terms.formed() ? within : new SplitStage(new ReasoningSplitter(PLAIN), within);
        stage.accept(text, out);
        stage.finish(true, out);
        return true;
    }

    /// The object without reasoning in any of its objects.
    private void withoutReasoning(Consumer<TextPiece> out) {
        remove(envelope, out);
        say(Kind.ANSWER, envelope.toString(), out);
    }

    private static void remove(JsonNode from, Consumer<TextPiece> out) {
        if (from instanceof ObjectNode object) {
            for (var name : List.copyOf(object.properties())) {
                if (name.getKey().equalsIgnoreCase(EnvelopeStage.REASONING)) {
                    say(Kind.REASONING, text(object.remove(name.getKey())), out);
                }
            }
        }
        from.forEach(inner -> remove(inner, out));
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : value.toString();
    }

    private static void say(Kind kind, String text, Consumer<TextPiece> out) {
        if (!text.isEmpty()) {
            out.accept(new TextPiece(kind, text));
        }
    }
}
