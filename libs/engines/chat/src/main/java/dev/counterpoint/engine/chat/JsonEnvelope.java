package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.counterpoint.engine.chat.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads an answer in its envelope, `{"reasoning": …, "answer": …}`, as it comes. What else the
/// envelope holds is passed on when it turned out whole. What is no envelope is not shown. Pure but for
/// its memory; not thread-safe.
final class JsonEnvelope {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ANSWER = "answer";
    private static final String REASONING = "reasoning";

    /// The mark that closes a block of code around the envelope.
    private static final String FENCE = "```";

    private final JsonMembers members = new JsonMembers(new Members());
    private final MarkedReasoning answer;
    private final boolean alone;
    private final List<TextPiece> pieces = new ArrayList<>();
    private final StringBuilder more = new StringBuilder();
    private final StringBuilder after = new StringBuilder();
    private boolean answered;
    private boolean reasoned;
    private boolean over;
    private boolean chatters;

    /// @param markers what the answer may hold of these is reasoning too
    /// @param alone whether nothing may stand beside the answer, because it has a form to keep
    JsonEnvelope(Set<ReasoningMarker> markers, boolean alone) {
        answer = new MarkedReasoning(markers, MarkedReasoning.Outside.ANSWER, null);
        this.alone = alone;
    }

    /// Takes more text, the opening bracket first.
    List<TextPiece> accept(String text) {
        pieces.clear();
        var rest = members.accept(text);
        if (members.broken()) {
            say(Kind.UNTOLD, rest);
        } else if (members.ended()) {
            end();
            after.append(rest);
            chatters |= !FENCE.startsWith(after.toString().strip());
            if (chatters) {
                say(Kind.UNTOLD, after.toString());
                after.setLength(0);
            }
        }
        return List.copyOf(pieces);
    }

    /// The text is over.
    List<TextPiece> finish() {
        pieces.clear();
        if (!over) {
            over = true;
            pieces.addAll(answer.finish());
            say(Kind.UNTOLD, more.toString());
            if (!answered) {
                pieces.add(new TextPiece(Kind.UNTOLD, ""));
            }
        }
        return List.copyOf(pieces);
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        pieces.addAll(answer.finish());
        var object = "{" + more + "}";
        if (!answered) {
            pieces.add(new TextPiece(Kind.UNTOLD, more.isEmpty() ? "" : object));
        } else if (!more.isEmpty()) {
            say(kindOfMore(object), object);
        }
    }

    private Kind kindOfMore(String object) {
        // An envelope without its reasoning may hold reasoning anywhere.
        if (!reasoned || !isJson(object)) {
            return Kind.UNTOLD;
        }
        return alone ? Kind.REASONING : Kind.MORE;
    }

    private static boolean isJson(String text) {
        try {
            JSON.readTree(text);
            return true;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private void say(Kind kind, String text) {
        if (!text.isEmpty()) {
            pieces.add(new TextPiece(kind, text));
        }
    }

    private final class Members implements JsonMembers.Listener {
        private final StringBuilder text = new StringBuilder();
        private Kind kind = Kind.MORE;
        private boolean quoted;

        @Override
        public void begun(String member, boolean string) {
            boolean first = member.equalsIgnoreCase(ANSWER) && !answered;
            answered |= first;
            quoted = string;
            if (first) {
                kind = Kind.ANSWER;
            } else if (member.equalsIgnoreCase(REASONING)) {
                kind = Kind.REASONING;
                reasoned = true;
            } else {
                kind = Kind.MORE;
                more.append(more.isEmpty() ? "" : ",")
                        .append(TextNode.valueOf(member))
                        .append(':');
            }
        }

        @Override
        public void value(String value) {
            switch (kind) {
                case ANSWER -> pieces.addAll(answer.accept(value));
                case REASONING -> say(Kind.REASONING, value);
                case MORE, UNTOLD, AFTERWARDS -> text.append(value);
            }
        }

        @Override
        public void ended() {
            if (kind == Kind.MORE) {
                more.append(quoted ? TextNode.valueOf(text.toString()) : text);
                text.setLength(0);
            }
        }
    }
}
