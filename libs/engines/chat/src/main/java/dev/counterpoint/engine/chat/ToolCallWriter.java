package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.ToolNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Says the calls of the client's functions, one after the other. The first that is not over is said as it
/// comes; what comes of others meanwhile waits. Not thread-safe.
///
/// Servers agree on little: indices and ids are missing, the same for all calls, or new in each delta;
/// names come in pieces or again and again. So a delta goes on with the call of its index or id, or else
/// with the last one, unless it names a function while that call's arguments are whole.
final class ToolCallWriter {
    private static final ObjectMapper JSON = new ObjectMapper();
    /// A name that is one word of a header.
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]+");

    private final FunctionNames names;
    private final HarmonyWriter speech;
    private final List<OpenCall> calls = new ArrayList<>();
    /// The number of calls that are said.
    private int over;

    ToolCallWriter(FunctionNames names, HarmonyWriter speech) {
        this.names = names;
        this.speech = speech;
    }

    /// The number of calls so far.
    int size() {
        return calls.size();
    }

    void accept(CallDelta delta) {
        var call = callOf(delta);
        if (call == null) {
            call = new OpenCall(delta.index(), delta.id());
            calls.add(call);
        }
        call.accept(delta);
        sayNext();
    }

    /// No more of any call comes.
    void finish() {
        for (; over < calls.size(); over++) {
            calls.get(over).finish();
        }
    }

    /// The call that the delta goes on with; null when it begins one.
    private @Nullable OpenCall callOf(CallDelta delta) {
        var known = known(delta);
        if (known == null || delta.name().isEmpty()) {
            return known;
        }
        boolean another = known.end.ended()
                ? !delta.arguments().isEmpty() || known.isOther(delta.id())
                : !known.argued && known.isOther(delta.id()) && !known.isNamed(delta.name());
        return another ? null : known;
    }

    private @Nullable OpenCall known(CallDelta delta) {
        for (var call : calls.reversed()) {
            boolean same = delta.index() != null
                    ? delta.index().equals(call.index)
                    : !delta.id().isEmpty() && delta.id().equals(call.id);
            if (same) {
                return call;
            }
        }
        boolean named = !delta.name().isEmpty();
        boolean begins =
                calls.isEmpty() || delta.index() != null || named && !delta.id().isEmpty();
        return begins ? null : calls.getLast();
    }

    private void sayNext() {
        while (over < calls.size()) {
            var call = calls.get(over);
            call.say();
            if (!call.end.ended() || over == calls.size() - 1) {
                return;
            }
            call.finish();
            over++;
        }
    }

    /// One call of a function, as its deltas come.
    private final class OpenCall {
        private final @Nullable Integer index;
        private final String id;
        private final StringBuilder name = new StringBuilder();
        /// The arguments that were not said yet.
        private final StringBuilder arguments = new StringBuilder();
        private final JsonObjectEnd end = new JsonObjectEnd();
        /// Something of the arguments has come.
        private boolean argued;
        private boolean begun;
        /// The arguments wait until they are whole: the function takes plain text, or they are a text that
        /// holds them.
        private boolean waits;
        private boolean plain;

        private OpenCall(@Nullable Integer index, String id) {
            this.index = index;
            this.id = id;
        }

        /// True if an id is none of this call's.
        private boolean isOther(String other) {
            return !other.isEmpty() && !id.isEmpty() && !other.equals(id);
        }

        private boolean isNamed(String other) {
            return other.contentEquals(name);
        }

        private void accept(CallDelta delta) {
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

        /// Writes the part of the call that has arrived.
        private void say() {
            if (name.isEmpty() || !argued) {
                return;
            }
            begin();
            if (!waits) {
                speech.text(arguments.toString());
                arguments.setLength(0);
            }
        }

        /// Writes the rest of the call after its last piece. A call without a name is dropped.
        private void finish() {
            if (!name.isEmpty()) {
                begin();
                speech.text(waits ? unwrapped(arguments.toString()) : arguments.toString());
            }
        }

        private void begin() {
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

        /// Unwraps a text from its argument or an object from its text; any other value stays unchanged.
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
}
