package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.harmony.model.FunctionNames;

/// Says the calls of the client's functions as their deltas come, one after the other. Not thread-safe.
final class ToolCallWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FunctionNames names;
    private final HarmonyWriter speech;
    private final StringBuilder name = new StringBuilder();
    private final StringBuilder wrapped = new StringBuilder();
    private String id = "";
    private int index = -1;
    private boolean open;
    private boolean argued;
    /// The open call is of a function that takes plain text: its arguments wait until they are whole.
    private boolean plain;

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
            if (plain) {
                wrapped.append(delta.arguments());
            } else {
                speech.arguments(delta.arguments());
            }
        }
    }

    /// No more of the last call comes.
    void finish() {
        if (!name.isEmpty()) {
            begin();
            if (plain) {
                speech.arguments(text());
            } else {
                speech.called(!argued);
            }
        }
        name.setLength(0);
        wrapped.setLength(0);
        open = false;
        plain = false;
        argued = false;
    }

    private void begin() {
        if (!open) {
            open = true;
            var called = name.toString();
            var function = names.resolve(called);
            plain = function != null && names.takesPlainText(function);
            speech.call(names.recipient(called), plain);
        }
    }

    /// The text out of its argument; what is no such object is the text itself.
    private String text() {
        var whole = wrapped.toString();
        try {
            var text = JSON.readTree(whole).path(ChatTask.INPUT);
            return text.isTextual() ? text.asText() : whole;
        } catch (JsonProcessingException e) {
            return whole;
        }
    }
}
