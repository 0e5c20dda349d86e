package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.engine.chat.split.TextSplitter;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Reads an envelope, `{"reasoning": …, "answer": …}`, as it comes. What it holds besides is told when it
/// is whole: numbers and truth values stand beside the answer ([Kind#MORE]), everything else may be
/// reasoning under another name.
///
/// Where the answer has a form and nobody asked for an envelope, the object without its reasoning is the
/// answer.
final class JsonEnvelope implements Stage {
    private static final ObjectMapper JSON = new ObjectMapper();
    /// An answer in an envelope is the answer, but for what is marked in it.
    private static final TextRule PLAIN = new TextRule(
            TextRule.Unmarked.ANSWER, FamilyTable.shared().everyMarks(), List.of(), false, "in an envelope");

    private static final Pattern NOTHING = Pattern.compile("[\\s`]*");
    private static final Pattern SCALAR = Pattern.compile("(?:true|false|-?\\d[\\d.eE+-]{0,40})\\s*");

    private final JsonMembers members = new JsonMembers(new Members());
    private final Stage answer;
    /// Everything but the reasoning is the answer, as an object.
    private final boolean keepsObject;

    /// Further members: those that may be shown, and the others.
    private final StringBuilder shown = new StringBuilder();
    private final StringBuilder other = new StringBuilder();
    /// The answer, while it is not certain that it is the last one.
    private final StringBuilder waiting = new StringBuilder();

    private final boolean formed;
    private Consumer<TextPiece> out = _ -> {};
    private boolean answered;
    private boolean reasoned;

    JsonEnvelope(EnvelopeTerms terms) {
        formed = terms.formed();
        keepsObject = terms.formed() && !terms.asked();
        var within = new EnvelopeStage(terms.within(), Stage.answer());
        answer = terms.formed() ? within : new SplitStage(new TextSplitter(PLAIN), within);
    }

    @Override
    public void accept(String text, Consumer<TextPiece> to) {
        out = to;
        members.accept(text);
    }

    @Override
    public void finish(boolean whole, Consumer<TextPiece> to) {
        out = to;
        members.finish();
        if (!waiting.isEmpty()) {
            answer.accept(waiting.toString(), out);
        }
        answer.finish(whole, out);
        beside();
        var rest = members.rest();
        if (!NOTHING.matcher(rest).matches()) {
            say(Kind.UNTOLD, rest);
        } else if (!answered && !keepsObject) {
            out.accept(new TextPiece(Kind.UNTOLD, ""));
        }
    }

    private void beside() {
        if (keepsObject) {
            say(Kind.ANSWER, withoutReasoning("{" + shown + "}"));
            return;
        }
        if (!other.isEmpty()) {
            say(reasoned && answered ? Kind.REASONING : Kind.UNTOLD, "{" + other + "}");
        }
        if (!shown.isEmpty()) {
            say(answered && !formed ? Kind.MORE : Kind.REASONING, "{" + shown + "}");
        }
    }

    private void say(Kind kind, String text) {
        if (!text.isEmpty()) {
            out.accept(new TextPiece(kind, text));
        }
    }

    private final class Members implements JsonMembers.Listener {
        private final StringBuilder text = new StringBuilder();
        private String name = "";
        private Role role = Role.OTHER;
        private boolean quoted;
        /// Strings ended by a guess before the answer began.
        private boolean doubtful;

        @Override
        public void begun(String member, boolean string) {
            doubtful |= members.guessed() && !answered;
            name = member;
            quoted = string;
            role = role(member);
            if (role == Role.REASONING) {
                reasoned = true;
            }
        }

        private Role role(String member) {
            if (member.equalsIgnoreCase(EnvelopeStage.REASONING)) {
                return Role.REASONING;
            }
            if (keepsObject || !member.equalsIgnoreCase(EnvelopeStage.ANSWER)) {
                return Role.OTHER;
            }
            if (answered && waiting.isEmpty()) {
                return Role.OTHER;
            }
            // An answer whose beginning was a guess was reasoning when another one comes.
            say(Kind.REASONING, waiting.toString());
            waiting.setLength(0);
            return Role.ANSWER;
        }

        @Override
        public void value(String value) {
            switch (role) {
                case REASONING -> say(Kind.REASONING, value);
                case ANSWER -> answer(value);
                case OTHER -> text.append(value);
            }
        }

        /// A value that is no string may be `null`, which is no answer.
        private void answer(String value) {
            if (!quoted && !answered) {
                text.append(value);
                if ("null".startsWith(text.toString().strip())) {
                    return;
                }
                begin(text.toString());
                text.setLength(0);
            } else {
                begin(value);
            }
        }

        private void begin(String value) {
            answered = true;
            if (doubtful) {
                waiting.append(value);
            } else {
                answer.accept(value, out);
            }
        }

        @Override
        public void ended() {
            switch (role) {
                case OTHER -> more();
                case ANSWER -> answered |= quoted;
                case REASONING -> {}
            }
            text.setLength(0);
        }

        private void more() {
            var value = quoted ? TextNode.valueOf(text.toString()).toString() : text.toString();
            boolean shows = keepsObject
                    ? isJson(value)
                    : !quoted && SCALAR.matcher(value).matches();
            var to = shows ? shown : other;
            to.append(to.isEmpty() ? "" : ",")
                    .append(TextNode.valueOf(name))
                    .append(':')
                    .append(value);
        }
    }

    private enum Role {
        REASONING,
        ANSWER,
        OTHER
    }

    /// The object without reasoning in any of its objects.
    private String withoutReasoning(String object) {
        try {
            var tree = JSON.readTree(object);
            for (var holder : tree.findParents(EnvelopeStage.REASONING)) {
                say(
                        Kind.REASONING,
                        ((ObjectNode) holder).remove(EnvelopeStage.REASONING).toString());
            }
            return tree.toString();
        } catch (JsonProcessingException e) {
            return object;
        }
    }

    private static boolean isJson(String text) {
        try {
            return !JSON.readTree(text).isMissingNode();
        } catch (JsonProcessingException e) {
            return false;
        }
    }
}
