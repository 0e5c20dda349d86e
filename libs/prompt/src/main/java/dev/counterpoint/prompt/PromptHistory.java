package dev.counterpoint.prompt;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.parse.SampledMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The conversation so far, as messages for the model. Its own thoughts, and its own spelling of the call after them,
/// come back token for token. For everything that the client can see, the client's word counts. Used once.
final class PromptHistory {
    private static final String IMAGE = "[image]";

    private final FunctionNames names;
    private final Function<String, int[]> opened;
    private final List<Message> messages = new ArrayList<>();
    /// The header of the message that the model said after its sealed reasoning, when that was a call.
    private @Nullable Message spelledCall;

    /// @param opened opens sealed reasoning
    PromptHistory(FunctionNames names, Function<String, int[]> opened) {
        this.names = names;
        this.opened = opened;
    }

    List<Message> messages(List<PromptItem> items) {
        for (var item : PromptItem.inCallOrder(items)) {
            switch (item) {
                case PromptItem.Instructions(String text) ->
                    messages.add(Message.developer(DeveloperContent.withFunctions(text, List.of())));
                case PromptItem.User(String text) -> messages.add(Message.user(text));
                case PromptItem.Illustrated shown -> messages.add(Message.user(withoutImages(shown)));
                case PromptItem.Assistant(String text, boolean preamble) ->
                    messages.add(Message.assistant(preamble ? Channels.COMMENTARY : Channels.FINAL, text));
                case PromptItem.Reasoning(String text) -> messages.add(Message.assistant(Channels.ANALYSIS, text));
                case PromptItem.Sealed(String blob) -> reasoned(opened.apply(blob));
                case PromptItem.Retold _ -> throw new IllegalArgumentException("what is told again is no prompt");
                case PromptItem.Call call -> called(call);
                case PromptItem.CallOutput output ->
                    messages.add(Message.toolResult(names.recipient(output.name()), output.output()));
            }
        }
        return messages;
    }

    /// No model of ours sees; this is for counting, and for those that take messages.
    private static String withoutImages(PromptItem.Illustrated shown) {
        return shown.parts().stream()
                .map(part -> part.isImage() ? IMAGE : part.text())
                .collect(Collectors.joining());
    }

    /// The model's thoughts in clear, without messages that only stand beside them.
    ///
    /// @param sampled a run of analysis as the model said it
    static List<PromptItem.Reasoning> thoughts(int[] sampled) {
        return SampledMessages.of(sampled).stream()
                .filter(message -> Channels.ANALYSIS.equals(message.channel())
                        && message.recipient() == null
                        && message.contentType() == null)
                .map(message -> new PromptItem.Reasoning(message.text()))
                .toList();
    }

    private void reasoned(int[] sampled) {
        spelledCall = null;
        for (var message : SampledMessages.of(sampled)) {
            if (message.recipient() != null) {
                spelledCall = message;
            } else if (Channels.ANALYSIS.equals(message.channel())) {
                messages.add(message);
            }
        }
    }

    private void called(PromptItem.Call call) {
        messages.add(
                spelledCall != null && call.name().equals(names.resolve(recipientOf(spelledCall)))
                        ? spelledCall.withText(call.arguments())
                        : usualCall(names, call.name(), call.arguments()));
        spelledCall = null;
    }

    /// A call in its usual spelling: only what is JSON is called so.
    static Message usualCall(FunctionNames names, String name, String arguments) {
        var type = names.takesPlainText(name) ? null : "json";
        return Message.call(names.recipient(name), Channels.COMMENTARY, type, arguments);
    }

    private static String recipientOf(Message call) {
        return Objects.requireNonNull(call.recipient());
    }
}
