package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.ChatEvent.CallDelta;
import dev.counterpoint.harmony.model.FunctionNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Says the calls of the client's functions, one after the other. The first that is not over is said as it
/// comes; what comes of others meanwhile waits. Not thread-safe.
///
/// Servers agree on little: indices and ids are missing, the same for all calls, or new in each delta;
/// names come in pieces or again and again. So a delta goes on with the call of its index or id, or else
/// with the last one, unless it names a function while that call's arguments are whole.
final class ToolCallWriter {
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
            call = new OpenCall(names, delta.index(), delta.id());
            calls.add(call);
        }
        call.accept(delta);
        sayNext();
    }

    /// No more of any call comes.
    void finish() {
        for (; over < calls.size(); over++) {
            calls.get(over).finish(speech);
        }
    }

    /// The call that the delta goes on with; null when it begins one.
    private @Nullable OpenCall callOf(CallDelta delta) {
        var known = known(delta);
        if (known == null || delta.name().isEmpty()) {
            return known;
        }
        boolean another = known.whole()
                ? !delta.arguments().isEmpty() || known.isOther(delta.id())
                : !known.argued() && known.isOther(delta.id()) && !known.isNamed(delta.name());
        return another ? null : known;
    }

    private @Nullable OpenCall known(CallDelta delta) {
        for (var call : calls.reversed()) {
            boolean same = delta.index() != null
                    ? delta.index().equals(call.index())
                    : !delta.id().isEmpty() && delta.id().equals(call.id());
            if (same) {
                return call;
            }
        }
        boolean names = !delta.name().isEmpty();
        boolean begins =
                calls.isEmpty() || delta.index() != null || names && !delta.id().isEmpty();
        return begins ? null : calls.getLast();
    }

    private void sayNext() {
        while (over < calls.size()) {
            var call = calls.get(over);
            call.say(speech);
            if (!call.whole() || over == calls.size() - 1) {
                return;
            }
            call.finish(speech);
            over++;
        }
    }
}
