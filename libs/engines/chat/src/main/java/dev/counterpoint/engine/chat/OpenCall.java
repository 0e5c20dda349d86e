package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.ToolNamespace;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One call of a function, as its deltas come. Not thread-safe.
final class OpenCall {
    private static final ObjectMapper JSON = new ObjectMapper();
    /// A name that is one word of a header.
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]+");

    private final FunctionNames names;
    private final @Nullable Integer index;
    private final String id;
    private final StringBuilder name = new StringBuilder();
    /// The arguments that were not said yet.
    private final StringBuilder arguments = new StringBuilder();
    private final JsonObjectEnd end = new JsonObjectEnd();
    private boolean argued;
    private boolean begun;
    private boolean finished;
    /// The arguments wait until they are whole: the function takes plain text, or they are a text that
    /// holds them.
    private boolean waits;
    private boolean plain;

    OpenCall(FunctionNames names, @Nullable Integer index, String id) {
        this.names = names;
        this.index = index;
        this.id = id;
    }

    @Nullable
    Integer index() {
        return index;
    }

    String id() {
        return id;
    }

    /// True if an id is none of this call's.
    boolean isOther(String other) {
        return !other.isEmpty() && !id.isEmpty() && !other.equals(id);
    }

    boolean isNamed(String other) {
        return other.contentEquals(name);
    }

    /// True if something of the arguments has come.
    boolean argued() {
        return argued;
    }

    boolean whole() {
        return end.ended();
    }

    void accept(CallDelta delta) {
        if (!begun && !isNamed(delta.name())) {
            name.append(delta.name());
        }
        var more = delta.arguments();
        if (more.isEmpty() || end.ended()) {
            return; // some servers say the whole once more
        }
        waits |= !argued && more.stripLeading().startsWith("\"");
        argued |= !more.isBlank();
        end.read(more);
        arguments.append(more);
    }

    /// Says what has come of it.
    void say(HarmonyWriter speech) {
        if (name.isEmpty() || !argued) {
            return;
        }
        begin(speech);
        if (!waits) {
            speech.arguments(arguments.toString());
            arguments.setLength(0);
        }
    }

    /// Says the rest of it: no more comes. What has no name is no call.
    void finish(HarmonyWriter speech) {
        if (name.isEmpty() || finished) {
            return;
        }
        finished = true;
        begin(speech);
        speech.arguments(waits ? unwrapped(arguments.toString()) : arguments.toString());
    }

    private void begin(HarmonyWriter speech) {
        if (!begun) {
            begun = true;
            var called = name.toString();
            var function = names.resolve(called);
            plain = function != null && names.takesPlainText(function);
            waits |= plain;
            boolean word = function == null && WORD.matcher(called).matches();
            var recipient = names.recipient(function == null ? called : function);
            speech.call(word ? ToolNamespace.FUNCTION_PREFIX + called : recipient, plain);
        }
    }

    /// The text out of its argument, or the object out of its text; what is neither is left as it is.
    private String unwrapped(String whole) {
        try {
            var value = JSON.readTree(whole);
            if (value.isTextual()) {
                return value.textValue();
            }
            var text = value.path(ChatTask.INPUT);
            return plain && text.isTextual() ? text.textValue() : whole;
        } catch (JsonProcessingException e) {
            return whole;
        }
    }
}
