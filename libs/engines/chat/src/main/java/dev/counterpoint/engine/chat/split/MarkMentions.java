package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The marks that a conversation speaks of, so that reasoning about it may quote them in a line of their own.
/// Immutable, thread-safe.
///
/// @param closing the closing marks of their pairs, in small letters
public record MarkMentions(Set<String> closing) {
    /// None.
    public static final MarkMentions NONE = new MarkMentions(Set.of());

    public MarkMentions {
        closing = Set.copyOf(closing);
    }

    /// The marks of the rule, as it spells them, that stand in one of the texts.
    public static MarkMentions in(List<String> texts, TextRule rule) {
        Predicate<MarkPair> spokenOf =
                pair -> texts.stream().anyMatch(text -> text.contains(pair.close()) || text.contains(pair.open()));
        var closing = rule.reasoning().stream()
                .filter(pair -> !pair.isHeading())
                .filter(spokenOf)
                .map(MarkMentions::key)
                .collect(Collectors.toUnmodifiableSet());
        return closing.isEmpty() ? NONE : new MarkMentions(closing);
    }

    boolean has(MarkPair pair) {
        return closing.contains(key(pair));
    }

    private static String key(MarkPair pair) {
        return pair.close().toLowerCase(Locale.ROOT);
    }
}
