package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;

/// Reads a prompt's tokens back into its [PromptContent], in time linear in the prompt.
final class PromptReader {
    private static final String INSTRUCTIONS = "# Instructions";
    private static final String TOOLS = "# Tools\n";
    private static final String FORMATS = "# Response Formats\n";

    private PromptReader() {}

    static PromptContent read(int[] prompt, long seed) {
        int open = openHeader(prompt);
        var opening = open == prompt.length ? "" : HarmonyMarkup.decode(prompt, open + 1, prompt.length);
        var effort = ReasoningEffort.MEDIUM;
        var instructions = new StringBuilder();
        var tools = new ArrayList<DeclaredTool>();
        var dialogue = new ArrayList<ParsedMessage>();
        boolean structured = false;
        for (var message : HarmonyParser.parsePrompt(Arrays.copyOf(prompt, open))) {
            var text = message.text();
            switch (message.author().role()) {
                case SYSTEM -> {
                    effort = effort(text, effort);
                    instructions.append(ownWords(text));
                }
                case DEVELOPER -> {
                    tools.addAll(DeclaredTool.read(text));
                    structured |= text.contains(FORMATS);
                    instructions.append(instructions(text));
                }
                default -> dialogue.add(message);
            }
        }
        var whole = PromptContent.clip(instructions.toString().strip(), PromptContent.READ_MAX);
        return new PromptContent(opening, effort, whole, structured, tools, dialogue, seed);
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

    private static ReasoningEffort effort(String text, ReasoningEffort otherwise) {
        for (var effort : ReasoningEffort.values()) {
            if (text.contains("Reasoning: " + effort.wireName())) {
                return effort;
            }
        }
        return otherwise;
    }

    /// A system message in the usual form says nothing that a skill could use; one in free words does.
    private static String ownWords(String text) {
        return text.contains("# Valid channels") || text.contains("Reasoning: ") ? "" : text + "\n";
    }

    private static String instructions(String text) {
        int end = text.length();
        for (var section : new String[] {TOOLS, FORMATS}) {
            int begin = text.indexOf(section);
            end = begin < 0 ? end : Math.min(end, begin);
        }
        var own = text.substring(0, end);
        return (own.startsWith(INSTRUCTIONS) ? own.substring(INSTRUCTIONS.length()) : own).strip() + "\n";
    }
}
