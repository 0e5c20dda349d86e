package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.model.ReasoningEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The thoughts and the answer when no script gives them. They repeat the user's text or the tools' results and
/// state that no model understood them.
final class Echo {
    private static final String SELF =
            "I am a simulated stand-in without a language model, so I can only repeat what I was given. ";
    private static final int QUOTED_MAX = 400;
    private static final int NUMBERS_MAX = 20_000;
    private static final Pattern COUNT = Pattern.compile("(?i)\\bcount (?:from (\\d{1,6}) )?to (\\d{1,6})\\b");

    private Echo() {}

    static String answer(PromptContent prompt) {
        var numbers = numbers(prompt.question());
        var given = prompt.results().isEmpty()
                ? "You wrote: " + clip(prompt.question())
                : prompt.results().stream()
                        .map(result -> "The tool " + result.tool() + " returned: " + clip(result.text()))
                        .collect(Collectors.joining("\n"));
        return numbers == null ? SELF + given : numbers;
    }

    /// Long outputs of a known length, for tests: `Count from 1 to 100`.
    private static @Nullable String numbers(String question) {
        var wish = COUNT.matcher(question);
        if (!wish.find()) {
            return null;
        }
        int first = wish.group(1) == null ? 1 : Integer.parseInt(wish.group(1));
        return IntStream.rangeClosed(first, Integer.parseInt(wish.group(2)))
                        .limit(NUMBERS_MAX)
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(", "))
                + ".";
    }

    /// More of them the more effort is wanted.
    static List<String> thoughts(PromptContent prompt) {
        var thoughts = new ArrayList<>(List.of("The user asks: " + clip(prompt.question())));
        if (prompt.effort() != ReasoningEffort.LOW) {
            thoughts.add("To answer that I would have to know the world. I am simulated and know nothing of it.");
        }
        if (prompt.effort() == ReasoningEffort.HIGH) {
            thoughts.add("Before I answer, I ask myself whether it could mean something else. The plain reading fits.");
        }
        thoughts.add("So I follow the script, if there is one, and else I say that I am a stand-in.");
        return thoughts;
    }

    /// The beginning and the end of a long text.
    private static String clip(String text) {
        int half = text.length() <= QUOTED_MAX ? 0 : QUOTED_MAX / 2;
        return half == 0 ? text : text.substring(0, half) + " … " + text.substring(text.length() - half);
    }
}
