package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// The content of a prompt, read back from its tokens in time linear in the prompt.
///
/// @param opening the header that the prompt has begun for the answer
/// @param question the user's last message, or the developer's where no user spoke
/// @param calls the number of calls since the question
/// @param results of tools since the question
record PromptContent(int[] opening, ReasoningEffort effort, String question, int calls, List<Result> results) {
    record Result(String tool, String text) {}

    static PromptContent read(int[] prompt) {
        int open = openHeader(prompt);
        var effort = ReasoningEffort.MEDIUM;
        var question = "";
        int calls = 0;
        var results = new ArrayList<Result>();
        for (var message : HarmonyParser.parsePrompt(Arrays.copyOf(prompt, open))) {
            switch (message.author().role()) {
                case SYSTEM ->
                    effort = Stream.of(ReasoningEffort.values())
                            .filter(each -> message.text().contains("Reasoning: " + each.wireName()))
                            .findFirst()
                            .orElse(effort);
                case DEVELOPER -> question = question.isEmpty() ? message.text() : question;
                case USER -> {
                    question = message.text();
                    calls = 0;
                    results.clear();
                }
                case ASSISTANT -> calls += message.recipient() == null ? 0 : 1;
                case TOOL -> {
                    var tool = Objects.requireNonNullElse(message.author().name(), "tool");
                    results.add(new Result(tool.replaceFirst("^functions[.]", ""), message.text()));
                }
            }
        }
        int begin = Math.min(open + 1, prompt.length);
        // A client may drop the calls and keep their results.
        return new PromptContent(
                Arrays.copyOfRange(prompt, begin, prompt.length),
                effort,
                question,
                Math.max(calls, results.size()),
                results);
    }

    /// The beginning of the message that the prompt leaves open; the prompt's length when no message is open.
    private static int openHeader(int[] prompt) {
        for (int i = prompt.length - 1; i >= 0 && !SpecialTokens.isStop(prompt[i]); i--) {
            if (prompt[i] == SpecialTokens.START) {
                return i;
            }
        }
        return prompt.length;
    }
}
