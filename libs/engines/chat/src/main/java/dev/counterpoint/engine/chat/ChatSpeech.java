package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.engine.chat.split.ModelPart;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import dev.counterpoint.harmony.model.FunctionNames;
import java.util.ArrayList;
import java.util.List;

/// Writes the parts of an output in the order in which a client is to read them: reasoning in the middle of the answer,
/// or of calls, waits until that is over, because two messages would be two paragraphs. Not thread-safe.
final class ChatSpeech {
    private final HarmonyWriter writer;
    private final ToolCallWriter calls;
    private final StringBuilder answer = new StringBuilder();
    private final List<TextPiece> late = new ArrayList<>();
    private boolean reasoned;
    private boolean called;

    /// @param prefix what was said before
    /// @param names of the functions that the client declared
    ChatSpeech(int[] prefix, FunctionNames names) {
        writer = new HarmonyWriter(prefix);
        calls = new ToolCallWriter(names, writer);
    }

    void say(ModelPart part) {
        switch (part) {
            case TextPiece piece -> say(piece);
            case ModelPart.CallBegun(String recipient) ->
                call(new CallDelta(null, "text-" + calls.size(), recipient, ""));
            case ModelPart.CallArguments(String text) -> call(new CallDelta(null, "", "", text));
        }
    }

    private void say(TextPiece piece) {
        reasoned |= (piece.kind() == Kind.REASONING || piece.kind() == Kind.LATE)
                && !piece.text().isBlank();
        if (called) {
            // More of the calls may still come.
            late.add(piece);
        } else if (piece.kind() == Kind.ANSWER) {
            answer.append(piece.text());
            writer.say(piece);
        } else if (answer.isEmpty() || piece.kind() == Kind.AFTERWARDS) {
            writer.say(piece);
        } else {
            late.add(piece);
        }
    }

    /// More of a call.
    void call(CallDelta delta) {
        if (!called) {
            sayLate();
            called = true;
        }
        calls.accept(delta);
    }

    /// No more comes of answer and calls.
    void finish() {
        calls.finish();
        sayLate();
    }

    void end() {
        writer.end();
    }

    /// The tokens since the last time.
    int[] take() {
        return writer.take();
    }

    String answer() {
        return answer.toString();
    }

    /// True if there was neither an answer nor a call.
    boolean isSilent() {
        return answer.toString().isBlank() && !called;
    }

    /// True if there was an answer, and neither reasoning nor a call.
    boolean lacksReasons() {
        return !answer.isEmpty() && !reasoned && !called;
    }

    private void sayLate() {
        late.forEach(writer::say);
        late.clear();
    }
}
