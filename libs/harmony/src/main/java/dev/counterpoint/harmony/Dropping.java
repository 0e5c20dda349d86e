package dev.counterpoint.harmony;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Leaves earlier reasoning out of a conversation, by a {@link DropRule}.
final class Dropping {
    private static final String FUNCTION_PREFIX = ToolNamespace.FUNCTIONS + ".";

    private Dropping() {}

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
                .filter(Dropping::isFinal)
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
                .reduce(0, (_, last) -> last);
        return keep(
                messages, i -> i >= lastFinal || !isAnalysis(messages.get(i)) || isFunctionTraffic(messages.get(i)));
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

    /// A call of a function that strayed onto analysis, or its result: without the one, the other makes no sense.
    private static boolean isFunctionTraffic(Message message) {
        var recipient = message.recipient();
        var tool = message.author().role() == Role.TOOL ? message.author().name() : null;
        return recipient != null && recipient.startsWith(FUNCTION_PREFIX)
                || tool != null && tool.startsWith(FUNCTION_PREFIX);
    }
}
