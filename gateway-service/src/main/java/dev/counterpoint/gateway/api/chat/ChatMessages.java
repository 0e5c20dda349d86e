package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.Illustrated.Part;
import dev.counterpoint.gateway.request.PromptBuilder;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.openai.chat.ChatContent;
import dev.counterpoint.openai.chat.ChatMessage;
import dev.counterpoint.openai.chat.ChatPart;
import dev.counterpoint.openai.chat.ReasoningDetail;
import dev.counterpoint.openai.chat.ToolCall;
import dev.counterpoint.openai.json.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Translates the messages of a chat for a model.
///
/// Reasoning comes back as blobs that workers sealed, or, from callers that get raw reasoning, in clear. A `reasoning`
/// text from any other caller must be a summary, which the model never sees; the kept reasoning of the calls
/// replaces it.
///
/// @param rawReasoning whether the caller gets raw reasoning
/// @param kept the sealed reasoning that we kept for the calls with these ids, run by run
record ChatMessages(boolean rawReasoning, Function<List<String>, List<String>> kept) {
    private static final List<String> PARTS = List.of("text", "image_url", "refusal");

    /// Adds all messages.
    ///
    /// @throws WireException that names what is wrong, as in `messages[0].content[1]`
    void add(List<ChatMessage> messages, PromptBuilder prompt) {
        for (int i = 0; i < messages.size(); i++) {
            add(messages.get(i), "messages[" + i + "]", prompt);
        }
    }

    private void add(ChatMessage message, String param, PromptBuilder prompt) {
        switch (message) {
            case ChatMessage.System system -> prompt.instructions(text(system.content(), param));
            case ChatMessage.Developer developer -> prompt.instructions(text(developer.content(), param));
            case ChatMessage.User user -> prompt.user(parts(user.content(), param, prompt));
            case ChatMessage.Assistant assistant -> assistant(assistant, param, prompt);
            case ChatMessage.Tool tool ->
                prompt.output(tool.toolCallId(), text(tool.content(), param), param + ".tool_call_id");
            case ChatMessage.Function _ ->
                throw RequestRules.unsupportedValue(param + ".role", "function", "Use the role 'tool'.");
        }
    }

    private void assistant(ChatMessage.Assistant assistant, String param, PromptBuilder prompt) {
        if (assistant.functionCall() != null) {
            throw RequestRules.unsupported(param + ".function_call", "Use 'tool_calls'.");
        }
        var calls = Objects.requireNonNullElse(assistant.toolCalls(), List.<ToolCall>of());
        reasoning(assistant, ids(calls, param + ".tool_calls"), param, prompt);
        var said = assistant.content() == null ? assistant.refusal() : text(assistant.content(), param);
        if (said != null && (!said.isEmpty() || calls.isEmpty())) {
            prompt.assistant(said, !calls.isEmpty());
        }
        calls.forEach(call -> add(call, param + ".tool_calls", prompt));
    }

    private static List<String> ids(List<ToolCall> calls, String param) {
        var ids = new ArrayList<String>();
        for (var call : calls) {
            ids.add(
                    switch (call) {
                        case ToolCall.Function function -> function.id();
                        case ToolCall.Custom custom -> custom.id();
                        case ToolCall.Unknown other ->
                            throw RequestRules.unsupportedValue(
                                    param + "[" + ids.size() + "].type", other.type(), "Use functions.");
                    });
        }
        return ids;
    }

    private static void add(ToolCall call, String param, PromptBuilder prompt) {
        switch (call) {
            case ToolCall.Function(String id, var function) ->
                prompt.call(new PromptItem.Call(id, function.name(), function.arguments()), param);
            case ToolCall.Custom(String id, var custom) -> prompt.customCall(id, custom.name(), custom.input(), param);
            case ToolCall.Unknown _ -> throw new IllegalStateException("such calls were refused before");
        }
    }

    private void reasoning(ChatMessage.Assistant assistant, List<String> callIds, String param, PromptBuilder prompt) {
        var details = Objects.requireNonNullElse(assistant.reasoningDetails(), List.<ReasoningDetail>of());
        boolean sealed = false;
        for (int i = 0; i < details.size(); i++) {
            if (details.get(i) instanceof ReasoningDetail.Encrypted blob) {
                prompt.sealed(blob.data(), null, param + ".reasoning_details[" + i + "].data");
                sealed = true;
            }
        }
        if (sealed) {
            return;
        }
        var text = rawReasoning ? rawText(assistant, details) : null;
        if (text != null) {
            prompt.reasoning(text);
        } else if (!callIds.isEmpty()) {
            for (var blob : kept.apply(callIds)) {
                if (blob.isEmpty()) {
                    prompt.lostReasoning();
                } else {
                    prompt.sealed(blob, null, null);
                }
            }
        }
    }

    /// Clients have three names for it. One that brings a summary says so in the details.
    private static @Nullable String rawText(ChatMessage.Assistant assistant, List<ReasoningDetail> details) {
        if (details.stream().anyMatch(ReasoningDetail.Summary.class::isInstance)) {
            return null;
        }
        if (assistant.reasoning() != null && !assistant.reasoning().isEmpty()) {
            return assistant.reasoning();
        }
        if (assistant.reasoningContent() != null
                && !assistant.reasoningContent().isEmpty()) {
            return assistant.reasoningContent();
        }
        var text = new StringBuilder();
        for (var detail : details) {
            if (detail instanceof ReasoningDetail.Text raw && raw.text() != null) {
                text.append(raw.text());
            }
        }
        return text.isEmpty() ? null : text.toString();
    }

    private static List<Part> parts(ChatContent content, String param, PromptBuilder prompt) {
        return switch (content) {
            case ChatContent.Text(String text) -> List.of(Part.text(text));
            case ChatContent.Parts(List<ChatPart> parts) -> {
                var read = new ArrayList<Part>();
                for (int i = 0; i < parts.size(); i++) {
                    var place = param + ".content[" + i + "]";
                    read.add(
                            parts.get(i) instanceof ChatPart.Image image
                                    ? prompt.image(
                                            image.imageUrl().url(),
                                            image.imageUrl().detail(),
                                            place,
                                            "image_url")
                                    : Part.text(text(parts.get(i), place)));
                }
                yield read;
            }
        };
    }

    private static String text(ChatContent content, String param) {
        return switch (content) {
            case ChatContent.Text(String text) -> text;
            case ChatContent.Parts(List<ChatPart> parts) -> {
                var texts = new ArrayList<String>();
                for (int i = 0; i < parts.size(); i++) {
                    texts.add(text(parts.get(i), param + ".content[" + i + "]"));
                }
                yield String.join("", texts);
            }
        };
    }

    private static String text(ChatPart part, String place) {
        return switch (part) {
            case ChatPart.Text text -> text.text();
            case ChatPart.Refusal(String refusal) -> refusal;
            case ChatPart.Image _ -> throw notText(place, "image_url");
            case ChatPart.Audio _ -> throw notText(place, "input_audio");
            case ChatPart.File _ -> throw notText(place, "file");
            case ChatPart.Unsupported other -> throw RequestRules.notOneOf(place, other.type(), PARTS);
        };
    }

    private static WireException notText(String param, String type) {
        return RequestRules.unsupportedValue(param, type, "The model reads text only.");
    }
}
