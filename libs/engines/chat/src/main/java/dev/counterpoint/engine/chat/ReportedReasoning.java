package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.ArrayList;
import java.util.List;

/// Reads what a model reports of its reasoning, as the call of `report_reasoning` comes: all of it is
/// reasoning, even where the arguments are no JSON. Pure but for its memory; not thread-safe.
final class ReportedReasoning {
    private final JsonMembers arguments = new JsonMembers(new Values());
    private final List<TextPiece> pieces = new ArrayList<>();
    private final StringBuilder reported = new StringBuilder();

    /// Takes more of the arguments.
    List<TextPiece> accept(String text) {
        pieces.clear();
        arguments.accept(text);
        return List.copyOf(pieces);
    }

    /// No more comes.
    List<TextPiece> finish() {
        pieces.clear();
        arguments.finish();
        var rest = arguments.rest();
        if (!rest.isBlank()) {
            say(rest);
        }
        return List.copyOf(pieces);
    }

    boolean isEmpty() {
        return reported.isEmpty();
    }

    /// The arguments as the model should have written them.
    String arguments() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("reasoning", reported.toString())
                .toString();
    }

    private void say(String text) {
        reported.append(text);
        pieces.add(new TextPiece(Kind.REASONING, text));
    }

    private final class Values implements JsonMembers.Listener {
        @Override
        public void begun(String member, boolean string) {
            if (!reported.isEmpty()) {
                say("\n");
            }
        }

        @Override
        public void value(String text) {
            say(text);
        }

        @Override
        public void ended() {
            // The next member begins a line of its own.
        }
    }
}
