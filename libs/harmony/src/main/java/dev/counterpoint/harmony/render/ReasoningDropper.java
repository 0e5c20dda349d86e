package dev.counterpoint.harmony.render;

import dev.counterpoint.harmony.model.BuiltInTools;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolNamespace;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Leaves earlier reasoning out of a conversation, by a {@link DropRule}.
final class ReasoningDropper {
    private ReasoningDropper() {}

    static List<Message> of(DropRule rule, List<Message> messages) {
        return switch (rule) {
            case KEEP_ALL -> messages;
            case REFERENCE -> reference(messages);
            case COMPLETED_TURNS -> completedTurns(messages);
        };
    }

    private static List<Message> reference(List<Message> messages) {
        var lastAnswers = messages.reversed().stream()
                .filter(message -> message.author().role() == Role.ASSISTANT)
                .findFirst()
                .filter(ReasoningDropper::isFinal)
                .isPresent();
        int firstFinal = IntStream.range(0, messages.size())
                .filter(i -> isFinal(messages.get(i)))
                .findFirst()
                .orElse(0);
        if (!lastAnswers) {
            return messages;
        }
        return keep(messages, i -> i >= firstFinal || !isAnalysis(messages.get(i)));
    }

    private static List<Message> completedTurns(List<Message> messages) {
        int lastFinal = IntStream.range(0, messages.size())
                .filter(i ->
                        isFinal(messages.get(i)) && messages.get(i).author().role() == Role.ASSISTANT)
                .reduce(-1, (_, last) -> last);
        var completed = messages.subList(0, lastFinal + 1).stream()
                .filter(message -> isFunctionTraffic(message) || !isAnalysis(message) && !isBuiltInTraffic(message))
                .map(message -> message.rewritten(isAnalysis(message) ? Channels.COMMENTARY : message.channel()));
        return Stream.concat(completed, messages.stream().skip(lastFinal + 1L)).toList();
    }

    private static List<Message> keep(List<Message> messages, IntPredicate wanted) {
        return IntStream.range(0, messages.size())
                .filter(wanted)
                .mapToObj(messages::get)
                .toList();
    }

    private static boolean isFinal(Message message) {
        return Channels.FINAL.equals(message.channel());
    }

    private static boolean isAnalysis(Message message) {
        return Channels.ANALYSIS.equals(message.channel());
    }

    /// A call of a function or its result; a call that strayed onto analysis is none the less one.
    private static boolean isFunctionTraffic(Message message) {
        return tool(message) instanceof String tool && tool.startsWith(ToolNamespace.FUNCTION_PREFIX);
    }

    private static boolean isBuiltInTraffic(Message message) {
        return tool(message) instanceof String tool && BuiltInTools.NAMES.contains(tool.split("\\.", 2)[0]);
    }

    /// The tool that a message calls, or comes from.
    private static @Nullable String tool(Message message) {
        return message.author().role() == Role.TOOL ? message.author().name() : message.recipient();
    }
}
