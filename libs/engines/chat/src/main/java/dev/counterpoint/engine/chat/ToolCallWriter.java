package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.harmony.model.FunctionNames;

/// Says the calls of the client's functions as their deltas come, one after the other. Not thread-safe.
final class ToolCallWriter {
    private final FunctionNames names;
    private final HarmonyWriter speech;
    private final StringBuilder name = new StringBuilder();
    private String id = "";
    private int index = -1;
    private boolean open;
    private boolean argued;

    ToolCallWriter(FunctionNames names, HarmonyWriter speech) {
        this.names = names;
        this.speech = speech;
    }

    /// @throws ServerFailure when the deltas of several calls are mixed
    void accept(CallDelta delta) throws ServerFailure {
        boolean another = !delta.id().isEmpty() && !id.isEmpty() && !delta.id().equals(id);
        if (delta.index() < index) {
            throw ServerFailure.wrong("the server mixes several calls");
        }
        if (delta.index() > index || another) {
            finish();
            index = delta.index();
            id = "";
        }
        id = id.isEmpty() ? delta.id() : id;
        if (!open) {
            name.append(delta.name());
        }
        if (!delta.arguments().isEmpty()) {
            begin();
            argued = true;
            speech.arguments(delta.arguments());
        }
    }

    /// No more of the last call comes.
    void finish() {
        if (!name.isEmpty()) {
            begin();
            speech.called(!argued);
        }
        name.setLength(0);
        open = false;
        argued = false;
    }

    private void begin() {
        if (!open) {
            open = true;
            var called = name.toString();
            speech.call(names.recipient(called));
        }
    }
}
