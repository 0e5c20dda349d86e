package dev.counterpoint.prompt;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.CallOutput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The results of async calls in a prompt: a message that the result is pending, right behind the call, and later the
/// result. Both name the call, because Harmony has no call ids and several calls of one function may be pending.
public final class AsyncResult {
    private AsyncResult() {}

    public static CallOutput pending(String callId, String function) {
        return new CallOutput(callId, function, status("pending", callId));
    }

    /// A conversation as the model sees it. A call with its result right behind it is like any other.
    ///
    /// @param async ids of the async calls
    public static List<PromptItem> told(List<PromptItem> prompt, Set<String> async) {
        var told = new ArrayList<PromptItem>();
        var pending = new HashSet<String>();
        for (int i = 0; i < prompt.size(); i++) {
            var item = prompt.get(i);
            if (item instanceof CallOutput(String id, String function, String output) && pending.contains(id)) {
                told.add(new CallOutput(id, function, status("completed", id) + "\n" + output));
                continue;
            }
            told.add(item);
            var next = i + 1 < prompt.size() ? prompt.get(i + 1) : null;
            if (item instanceof PromptItem.Call call
                    && async.contains(call.callId())
                    && !(next instanceof CallOutput own && own.callId().equals(call.callId()))) {
                told.add(pending(call.callId(), call.name()));
                pending.add(call.callId());
            }
        }
        return told;
    }

    private static String status(String status, String callId) {
        var told = JsonNodeFactory.instance.objectNode();
        return told.put("status", status).put("call_id", callId).toString();
    }
}
