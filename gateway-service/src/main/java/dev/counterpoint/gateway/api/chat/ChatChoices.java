package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Several answers as one completion.
final class ChatChoices {
    private ChatChoices() {}

    /// @param answers at least one; all ended with an answer
    static ChatCompletion of(List<ChatAssembler> answers) {
        var first = answers.getFirst().completion();
        if (answers.size() == 1) {
            return first;
        }
        var choices = new ArrayList<ChatCompletion.Choice>();
        var endings = new ArrayList<TurnEnding>();
        for (var answer : answers) {
            choices.addAll(answer.completion().choices());
            answer.ending().ifPresent(endings::add);
        }
        return new ChatCompletion(
                first.id(),
                first.created(),
                first.model(),
                choices,
                usage(endings),
                first.serviceTier(),
                first.systemFingerprint(),
                first.moderation(),
                first.metadata());
    }

    /// The usage of all answers together: the prompt, which is the same for all, counts once.
    static @Nullable ChatUsage usage(List<TurnEnding> endings) {
        var used =
                endings.stream().map(TurnEnding::used).filter(Objects::nonNull).toList();
        if (used.size() < endings.size() || used.isEmpty()) {
            return null;
        }
        var prompt = used.getFirst();
        return ChatUsage.of(
                prompt.inputTokens(),
                used.stream().mapToLong(End::cachedTokens).min().orElse(0),
                used.stream().mapToLong(End::outputTokens).sum(),
                used.stream().mapToLong(End::reasoningTokens).sum());
    }
}
