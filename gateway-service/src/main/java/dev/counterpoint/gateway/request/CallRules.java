package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.openai.json.WireException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rule for the items and calls of a conversation: no item's id twice, no id of two calls, no result without its
/// call, no second result. A caller's mistake is refused in OpenAI's words; an item of our own store that breaks the
/// rule is left out, because no caller can mend it. Not thread-safe.
final class CallRules {
    private static final String STORED_PARAM = "input";

    private static final String DUPLICATE =
            "Duplicate item found with id %s. Remove duplicate items from your input and try again.";

    /// What can be wrong, in OpenAI's words of either API.
    private enum Mistake {
        SECOND_ITEM(DUPLICATE, DUPLICATE),
        SECOND_CALL("Invalid parameter: Duplicate value for 'tool_calls[].id' of '%s'.", DUPLICATE),
        SECOND_RESULT("Invalid parameter: Duplicate value for 'tool_call_id' of '%s'.", DUPLICATE),
        NO_CALL(
                "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with"
                        + " 'tool_calls'.",
                "No tool call found for function call output with call_id %s."),
        NO_RESULT(
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each"
                        + " 'tool_call_id'. The following tool_call_ids did not have response messages: %s.",
                "No tool output found for function call %s.");

        private final String chat;
        private final String responses;

        Mistake(String chat, String responses) {
            this.chat = chat;
            this.responses = responses;
        }

        WireException of(String id, String param, PromptBuilder.Api api) {
            var words = api == PromptBuilder.Api.CHAT ? chat : responses;
            return new WireException(param, null, words.formatted(id));
        }
    }

    private final PromptBuilder.Api api;
    private final Set<String> items = new HashSet<>();
    private final Map<String, String> functions = new HashMap<>();
    private final Map<String, String> open = new LinkedHashMap<>();

    CallRules(PromptBuilder.Api api) {
        this.api = api;
    }

    /// @param id null for an item without one
    /// @param param of the caller's item, null for one of our store
    /// @return false for an item to leave out
    boolean addItem(@Nullable String id, @Nullable String param) {
        return id == null || id.isEmpty() || items.add(id) || leftOut(param, Mistake.SECOND_ITEM, id);
    }

    /// @param param as in [#addItem]
    /// @return false for a call to leave out
    boolean addCall(PromptItem.Call call, @Nullable String param) {
        if (functions.containsKey(call.callId())) {
            return leftOut(param, Mistake.SECOND_CALL, call.callId());
        }
        functions.put(call.callId(), call.name());
        open.put(call.callId(), param == null ? STORED_PARAM : param);
        return true;
    }

    /// @param param as in [#addItem]
    /// @return the name of the function that was called; empty for a result to leave out
    Optional<String> addResult(String callId, @Nullable String param) {
        var function = functions.get(callId);
        if (function == null || open.remove(callId) == null) {
            leftOut(param, function == null ? Mistake.NO_CALL : Mistake.SECOND_RESULT, callId);
            return Optional.empty();
        }
        return Optional.of(function);
    }

    /// The id of the only call without a result.
    ///
    /// @param function that was called; null for any
    /// @param param of the id that a result lacks
    String onlyOpenCall(@Nullable String function, String param) {
        var calls = open.keySet().stream()
                .filter(id -> function == null || function.equals(functions.get(id)))
                .toList();
        if (calls.size() != 1) {
            throw RequestRules.invalid(
                    param,
                    "a result without it belongs to the one call that has no result yet, and there are " + calls.size()
                            + " such calls.");
        }
        return calls.getFirst();
    }

    /// @param async ids of the calls that may stay without a result
    /// @throws WireException when another call has no result
    void requireResults(Set<String> async) {
        for (var call : open.entrySet()) {
            if (!async.contains(call.getKey())) {
                throw Mistake.NO_RESULT.of(call.getKey(), call.getValue(), api);
            }
        }
    }

    private boolean leftOut(@Nullable String param, Mistake mistake, String id) {
        if (param != null) {
            throw mistake.of(id, param, api);
        }
        return false;
    }
}
