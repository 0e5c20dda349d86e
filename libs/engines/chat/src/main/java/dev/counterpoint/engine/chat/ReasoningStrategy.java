package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Ways to make a model show its reasoning, and to separate it from the answer. The strategies of a model work
/// together, in this order.
///
/// Without one of the last two, text in which no other finds reasoning is not shown as an answer.
public enum ReasoningStrategy {
    /// The model is asked to answer with a JSON object of `reasoning` and `answer`.
    ENVELOPE,
    /// The model has to call the function `report_reasoning` first.
    REPORT_REASONING,
    /// The model is asked to write its reasoning between `<<REASONING>>` and `<</REASONING>>`.
    MARKERS,
    /// The model writes its reasoning between `<think>` and `</think>` by itself.
    THINK,
    /// The same, and its chat template has written the first of these already.
    THINK_OPEN,
    /// Text without marks is the answer; a model that showed no reasoning is asked afterwards for its reasons.
    POST_HOC,
    /// Text without marks is the answer: the model does not reason, or its server separates reasoning.
    NONE;

    /// Reads a list as a setting has it.
    ///
    /// @param names in any order, each as the constant in small letters with `-`
    /// @throws IllegalArgumentException that names the strategy which there is not, and those that
    ///     there are
    public static List<ReasoningStrategy> named(List<String> names) {
        var chosen = names.stream()
                .map(String::strip)
                .map(ReasoningStrategy::named)
                .distinct()
                .sorted()
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no strategy; there are " + all());
        }
        return chosen;
    }

    /// The strategies for a model where the operator names none.
    static List<ReasoningStrategy> fitting(KnownModel known) {
        if (known.rule().harmony()) {
            return List.of(THINK);
        }
        return switch (known.rule().unmarked()) {
            case ANSWER -> List.of(NONE);
            case ANSWER_WHEN_WHOLE -> List.of(THINK);
            case REASONING -> List.of(THINK_OPEN);
            case UNKNOWN -> List.of(ENVELOPE, MARKERS, THINK);
        };
    }

    /// The meaning of text without marks where the operator names these strategies.
    static Unmarked unmarked(List<ReasoningStrategy> strategies) {
        if (strategies.contains(THINK_OPEN)) {
            return Unmarked.REASONING;
        }
        return strategies.contains(POST_HOC) || strategies.contains(NONE) ? Unmarked.ANSWER : Unmarked.UNKNOWN;
    }

    private static ReasoningStrategy named(String name) {
        return Arrays.stream(values())
                .filter(strategy -> strategy.wireName().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no strategy; there are " + all()));
    }

    private static String all() {
        return Arrays.stream(values()).map(ReasoningStrategy::wireName).collect(Collectors.joining(", "));
    }

    /// A list as a setting has it.
    static String names(List<ReasoningStrategy> strategies) {
        return strategies.stream().map(ReasoningStrategy::wireName).collect(Collectors.joining(","));
    }

    private String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
